package io.github.cdkflinkpipeline.planner;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.module.Module;

/**
 * Answers for connectors whose jar is not there. Flink asks a module for the factory of a table
 * before it looks for one on the class path.
 */
final class StandInModule implements Module {

  static final String NAME = "stand_ins";

  private final ConnectorCatalogue catalogue;
  private final TableSwap swap;

  /** By connector: the class of the real factory, or null for a stand-in. */
  private final Map<String, String> factories = new TreeMap<>();

  StandInModule(ConnectorCatalogue catalogue, TableSwap swap) {
    this.catalogue = catalogue;
    this.swap = swap;
  }

  /** The connectors asked for until now, each with the class of its real factory or null. */
  Map<String, String> factories() {
    return factories;
  }

  @Override
  public Optional<DynamicTableSourceFactory> getTableSourceFactory() {
    return Optional.of(new Dispatcher());
  }

  @Override
  public Optional<DynamicTableSinkFactory> getTableSinkFactory() {
    return Optional.of(new Dispatcher());
  }

  /** The real factory where there is one, else a stand-in. */
  private final class Dispatcher implements DynamicTableSourceFactory, DynamicTableSinkFactory {

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
      StandInFactory standIn = standIn(context);
      return swap.source(
          context,
          standIn != null
              ? standIn.createDynamicTableSource(context)
              : FactoryUtil.createDynamicTableSource(
                  null,
                  context.getObjectIdentifier(),
                  context.getCatalogTable(),
                  context.getEnrichmentOptions(),
                  context.getConfiguration(),
                  context.getClassLoader(),
                  context.isTemporary()));
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
      StandInFactory standIn = standIn(context);
      return swap.sink(
          context,
          standIn != null
              ? standIn.createDynamicTableSink(context)
              : FactoryUtil.createDynamicTableSink(
                  null,
                  context.getObjectIdentifier(),
                  context.getCatalogTable(),
                  context.getEnrichmentOptions(),
                  context.getConfiguration(),
                  context.getClassLoader(),
                  context.isTemporary()));
    }

    private StandInFactory standIn(DynamicTableFactory.Context context) {
      String identifier = context.getCatalogTable().getOptions().get("connector");
      if (identifier == null) {
        return null;
      }
      String real = real(context, identifier);
      factories.put(identifier, real);
      ConnectorCatalogue.Connector facts = catalogue.connectors().get(identifier);
      return real == null && facts != null ? new StandInFactory(identifier, facts) : null;
    }

    private static String real(DynamicTableFactory.Context context, String identifier) {
      try {
        // A catalog may have the same identifier: jdbc.
        return FactoryUtil.discoverFactory(
                context.getClassLoader(), DynamicTableFactory.class, identifier)
            .getClass()
            .getName();
      } catch (ValidationException notThere) {
        return null;
      }
    }

    @Override
    public String factoryIdentifier() {
      return NAME;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
      return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
      return Set.of();
    }
  }
}
