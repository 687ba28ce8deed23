package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.RunTables.Timed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/**
 * A table whose rows are given. What Flink may ask of it, and the kinds of its changes, are those
 * of the real source.
 */
abstract class GivenSource implements DynamicTableSource, SupportsReadingMetadata {

  final RunTables tables;
  final DynamicTableFactory.Context context;
  final DynamicTableSource real;
  DataType produced;

  private GivenSource(
      RunTables tables,
      DynamicTableFactory.Context context,
      DynamicTableSource real,
      DataType produced) {
    this.tables = tables;
    this.context = context;
    this.real = real;
    this.produced = produced;
  }

  static GivenSource of(
      RunTables tables, DynamicTableFactory.Context context, DynamicTableSource real) {
    return of(tables, context, real, context.getPhysicalRowDataType());
  }

  private static GivenSource of(
      RunTables tables,
      DynamicTableFactory.Context context,
      DynamicTableSource real,
      DataType produced) {
    if (!(real instanceof ScanTableSource)) {
      return new Lookup(tables, context, real, produced);
    }
    return real instanceof LookupTableSource
        ? new ScanAndLookup(tables, context, real, produced)
        : new Scan(tables, context, real, produced);
  }

  String table() {
    return context.getObjectIdentifier().getObjectName();
  }

  @Override
  public DynamicTableSource copy() {
    return of(tables, context, real.copy(), produced);
  }

  @Override
  public String asSummaryString() {
    return "rows for " + real.asSummaryString();
  }

  @Override
  public Map<String, DataType> listReadableMetadata() {
    return real instanceof SupportsReadingMetadata metadata
        ? metadata.listReadableMetadata()
        : Map.of();
  }

  @Override
  public void applyReadableMetadata(List<String> metadataKeys, DataType producedDataType) {
    produced = producedDataType;
  }

  public ChangelogMode getChangelogMode() {
    return ((ScanTableSource) real).getChangelogMode();
  }

  @SuppressWarnings("deprecation")
  public ScanTableSource.ScanRuntimeProvider getScanRuntimeProvider(
      ScanTableSource.ScanContext scan) {
    GivenRows rows = new GivenRows(context, produced);
    tables.put(table(), rows.read(tables.given(table()), getChangelogMode(), scan));
    return org.apache.flink.legacy.table.connector.source.SourceFunctionProvider.of(
        new Rows(tables.id, table()), true);
  }

  public LookupTableSource.LookupRuntimeProvider getLookupRuntimeProvider(
      LookupTableSource.LookupContext lookup) {
    GivenRows rows = new GivenRows(context, produced);
    tables.put(table(), rows.read(tables.given(table()), ChangelogMode.all(), null));
    int[] keys = Arrays.stream(lookup.getKeys()).mapToInt(path -> path[0]).toArray();
    RowType type = (RowType) produced.getLogicalType();
    GivenLookup rowsOfKey = new GivenLookup(tables.id, table(), type, keys);
    boolean async =
        ((LookupTableSource) real).getLookupRuntimeProvider(lookup)
            instanceof AsyncLookupFunctionProvider;
    return async
        ? AsyncLookupFunctionProvider.of(new AsyncGivenLookup(rowsOfKey))
        : LookupFunctionProvider.of(rowsOfKey);
  }

  private static final class Scan extends GivenSource implements ScanTableSource {
    Scan(
        RunTables tables,
        DynamicTableFactory.Context context,
        DynamicTableSource real,
        DataType produced) {
      super(tables, context, real, produced);
    }
  }

  private static final class Lookup extends GivenSource implements LookupTableSource {
    Lookup(
        RunTables tables,
        DynamicTableFactory.Context context,
        DynamicTableSource real,
        DataType produced) {
      super(tables, context, real, produced);
    }
  }

  private static final class ScanAndLookup extends GivenSource
      implements ScanTableSource, LookupTableSource {
    ScanAndLookup(
        RunTables tables,
        DynamicTableFactory.Context context,
        DynamicTableSource real,
        DataType produced) {
      super(tables, context, real, produced);
    }
  }

  /** Emits the rows phase by phase; all of them from the first subtask, which keeps their order. */
  @SuppressWarnings("deprecation") // The only sources that emit rows under a lock, without splits.
  private static final class Rows
      extends org.apache.flink.streaming.api.functions.source.legacy.RichParallelSourceFunction<
          RowData> {
    private static final long serialVersionUID = 1L;

    private final String run;
    private final String table;
    private transient String subtask;
    private volatile boolean cancelled;

    Rows(String run, String table) {
      this.run = run;
      this.table = table;
    }

    /** Before the task is running: whoever sees all tasks run knows of all sources. */
    @Override
    public void open(OpenContext context) {
      int index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
      subtask = table + "/" + index + "@" + System.identityHashCode(this);
      RunTables.find(run).started(subtask);
    }

    @Override
    public void run(SourceContext<RowData> output) throws InterruptedException {
      RunTables tables = RunTables.find(run);
      int index = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
      List<Timed> rows = index == 0 ? tables.rows(table) : List.of();
      for (int phase : tables.phases) {
        while (!cancelled && tables.phase() < phase) {
          Thread.sleep(1);
        }
        synchronized (output.getCheckpointLock()) {
          rows.stream()
              .filter(row -> row.phase() == phase)
              .forEach(row -> output.collect(row.row()));
        }
        tables.emitted(subtask, phase);
      }
      while (!cancelled && !tables.ended()) {
        Thread.sleep(1);
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }
}
