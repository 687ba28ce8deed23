package io.github.cdkflinkpipeline.planner;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsLimitPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.apache.flink.table.types.utils.TypeConversions;

/** A table that can be planned but not read. Its kinds differ in what Flink may ask of them. */
abstract class StandInSource implements DynamicTableSource {

  final String identifier;
  final ConnectorCatalogue.Source facts;
  final ChangelogMode changes;
  final Map<String, String> options;

  private StandInSource(
      String identifier,
      ConnectorCatalogue.Source facts,
      ChangelogMode changes,
      Map<String, String> options) {
    this.identifier = identifier;
    this.facts = facts;
    this.changes = changes;
    this.options = options;
  }

  static StandInSource of(
      String identifier,
      ConnectorCatalogue.Source facts,
      ChangelogMode changes,
      LookupColumns columns,
      Map<String, String> options) {
    if (changes == null) {
      return new Lookup(identifier, facts, columns, options);
    }
    return facts.lookup() == null
        ? new Scan(identifier, facts, changes, options)
        : new ScanAndLookup(identifier, facts, changes, options);
  }

  @Override
  public String asSummaryString() {
    return identifier + " (stand-in)";
  }

  LookupTableSource.LookupRuntimeProvider lookupProvider() {
    boolean async =
        facts.lookup().equals("async")
            && !"false".equalsIgnoreCase(options.getOrDefault("lookup.async", "true"));
    return async
        ? AsyncLookupFunctionProvider.of(new NoAsyncLookup())
        : LookupFunctionProvider.of(new NoLookup());
  }

  ScanTableSource.ScanRuntimeProvider scanProvider() {
    FactoryRules.checkScanRuntime(identifier, options);
    return new NoScan(facts.bounded());
  }

  /** A table that is read from end to end, such as a stream. */
  private static final class Scan extends StandInSource
      implements ScanTableSource, SupportsReadingMetadata {

    Scan(
        String identifier,
        ConnectorCatalogue.Source facts,
        ChangelogMode changes,
        Map<String, String> options) {
      super(identifier, facts, changes, options);
    }

    @Override
    public ChangelogMode getChangelogMode() {
      return changes;
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
      return scanProvider();
    }

    @Override
    public Map<String, DataType> listReadableMetadata() {
      Map<String, DataType> metadata = new LinkedHashMap<>();
      if (facts.metadata() != null) {
        facts.metadata().forEach((key, type) -> metadata.put(key, dataType(type)));
      }
      return metadata;
    }

    @Override
    public void applyReadableMetadata(List<String> metadataKeys, DataType producedDataType) {}

    @Override
    public DynamicTableSource copy() {
      return new Scan(identifier, facts, changes, options);
    }

    private static DataType dataType(String type) {
      return TypeConversions.fromLogicalToDataType(
          LogicalTypeParser.parse(type, StandInSource.class.getClassLoader()));
    }
  }

  /** A table that is only asked for single keys. */
  private static final class Lookup extends StandInSource
      implements LookupTableSource, SupportsProjectionPushDown {

    private LookupColumns columns;

    Lookup(
        String identifier,
        ConnectorCatalogue.Source facts,
        LookupColumns columns,
        Map<String, String> options) {
      super(identifier, facts, null, options);
      this.columns = columns;
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
      FactoryRules.checkLookupRuntime(identifier, options, columns, columns.compared(context));
      return lookupProvider();
    }

    @Override
    public boolean supportsNestedProjection() {
      return false;
    }

    @Override
    public void applyProjection(int[][] projectedFields, DataType producedDataType) {
      columns = columns.projected(producedDataType);
    }

    @Override
    public DynamicTableSource copy() {
      return new Lookup(identifier, facts, columns, options);
    }
  }

  /** A table of a database, which can be read either way. */
  private static final class ScanAndLookup extends StandInSource
      implements ScanTableSource,
          LookupTableSource,
          SupportsProjectionPushDown,
          SupportsLimitPushDown {

    ScanAndLookup(
        String identifier,
        ConnectorCatalogue.Source facts,
        ChangelogMode changes,
        Map<String, String> options) {
      super(identifier, facts, changes, options);
    }

    @Override
    public ChangelogMode getChangelogMode() {
      return changes;
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
      return scanProvider();
    }

    @Override
    public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
      return lookupProvider();
    }

    @Override
    public boolean supportsNestedProjection() {
      return false;
    }

    @Override
    public void applyProjection(int[][] projectedFields, DataType producedDataType) {}

    @Override
    public void applyLimit(long limit) {}

    @Override
    public DynamicTableSource copy() {
      return new ScanAndLookup(identifier, facts, changes, options);
    }
  }

  /** One source operator of the job's parallelism, as the real connectors make. */
  private record NoScan(boolean bounded) implements DataStreamScanProvider {

    @Override
    public boolean isBounded() {
      return bounded;
    }

    @Override
    public DataStream<RowData> produceDataStream(
        ProviderContext provider, StreamExecutionEnvironment execution) {
      return execution.fromSource(
          new NoSource(bounded),
          WatermarkStrategy.noWatermarks(),
          "stand-in",
          TypeInformation.of(RowData.class));
    }
  }

  private record NoSource(boolean bounded) implements Source<RowData, SourceSplit, Void> {

    @Override
    public Boundedness getBoundedness() {
      return bounded ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<RowData, SourceSplit> createReader(SourceReaderContext context) {
      throw cannotRun();
    }

    @Override
    public SplitEnumerator<SourceSplit, Void> createEnumerator(
        SplitEnumeratorContext<SourceSplit> context) {
      throw cannotRun();
    }

    @Override
    public SplitEnumerator<SourceSplit, Void> restoreEnumerator(
        SplitEnumeratorContext<SourceSplit> context, Void checkpoint) {
      throw cannotRun();
    }

    @Override
    public SimpleVersionedSerializer<SourceSplit> getSplitSerializer() {
      throw cannotRun();
    }

    @Override
    public SimpleVersionedSerializer<Void> getEnumeratorCheckpointSerializer() {
      throw cannotRun();
    }
  }

  static UnsupportedOperationException cannotRun() {
    return new UnsupportedOperationException("a stand-in is planned, not run");
  }
}
