package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.ConnectorCatalogue.Answer;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.streaming.api.functions.sink.legacy.RichSinkFunction;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.connector.sink.abilities.SupportsPartitioning;
import org.apache.flink.table.connector.sink.legacy.SinkFunctionProvider;
import org.apache.flink.table.data.RowData;

/**
 * A table that can be planned but not written, in the way that the real one is, deprecated or not.
 */
@SuppressWarnings("deprecation")
class StandInSink implements DynamicTableSink {

  private final String identifier;
  private final ConnectorCatalogue.Sink facts;
  private final boolean withKey;
  private final ChangelogMode format;
  private final Map<String, String> options;

  private StandInSink(
      String identifier,
      ConnectorCatalogue.Sink facts,
      boolean withKey,
      ChangelogMode format,
      Map<String, String> options) {
    this.identifier = identifier;
    this.facts = facts;
    this.withKey = withKey;
    this.format = format;
    this.options = options;
  }

  static StandInSink of(
      String identifier,
      ConnectorCatalogue.Sink facts,
      boolean withKey,
      ChangelogMode format,
      Map<String, String> options) {
    return facts.abilities().contains("SupportsPartitioning")
        ? new Partitioned(identifier, facts, withKey, format, options)
        : new StandInSink(identifier, facts, withKey, format, options);
  }

  @Override
  public ChangelogMode getChangelogMode(ChangelogMode requested) {
    FactoryRules.checkChanges(identifier, options, requested);
    if ("format".equals(facts.changes())) {
      return format;
    }
    Answer answer = (withKey ? facts.withKey() : facts.withoutKey()).to(requested);
    if (answer.refusal() != null) {
      throw new IllegalStateException(answer.refusal());
    }
    return answer.changelogMode();
  }

  @Override
  public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
    FactoryRules.checkSinkRuntime(identifier, options);
    String stated = options.get("sink.parallelism");
    Integer parallelism =
        facts.parallelism() && stated != null ? Integer.valueOf(stated.strip()) : null;
    return facts.provider().equals("SinkFunctionProvider")
        ? SinkFunctionProvider.of(new NoFunction(), parallelism)
        : SinkV2Provider.of(new NoSink(), parallelism);
  }

  @Override
  public DynamicTableSink copy() {
    return of(identifier, facts, withKey, format, options);
  }

  @Override
  public String asSummaryString() {
    return identifier + " (stand-in)";
  }

  private static final class Partitioned extends StandInSink implements SupportsPartitioning {

    Partitioned(
        String identifier,
        ConnectorCatalogue.Sink facts,
        boolean withKey,
        ChangelogMode format,
        Map<String, String> options) {
      super(identifier, facts, withKey, format, options);
    }

    @Override
    public void applyStaticPartition(Map<String, String> partition) {}
  }

  private static final class NoSink implements Sink<RowData> {
    private static final long serialVersionUID = 1L;

    @Override
    public SinkWriter<RowData> createWriter(WriterInitContext context) {
      throw StandInSource.cannotRun();
    }
  }

  private static final class NoFunction extends RichSinkFunction<RowData> {
    private static final long serialVersionUID = 1L;

    @Override
    public void invoke(RowData row, Context context) {
      throw StandInSource.cannotRun();
    }
  }
}
