package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.ConnectorCatalogue.Connector;
import io.github.cdkflinkpipeline.planner.ConnectorCatalogue.Option;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.Format;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.FactoryUtil.TableFactoryHelper;
import org.apache.flink.table.factories.SerializationFormatFactory;

/**
 * Takes the place of the factory of one connector. Options and formats are checked by Flink itself,
 * with the rules that this connector has beside.
 */
final class StandInFactory implements DynamicTableSourceFactory, DynamicTableSinkFactory {

  private final String identifier;
  private final Connector facts;
  private final Map<String, ConfigOption<?>> options = new LinkedHashMap<>();

  StandInFactory(String identifier, Connector facts) {
    this.identifier = identifier;
    this.facts = facts;
    facts.options().forEach((key, option) -> options.put(key, configOption(key, option)));
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    if (facts.source() == null) {
      throw usedOnlyAs("sink", "source");
    }
    Format format = check(context, TableSide.SOURCE);
    ConnectorCatalogue.Source source = facts.source();
    ChangelogMode changes = null;
    if (source.changes() instanceof List<?> kinds) {
      changes = ConnectorCatalogue.mode(kinds, false);
    } else if (source.changes() != null) {
      changes = format.getChangelogMode();
    }
    LookupColumns columns = LookupColumns.of(context.getCatalogTable().getResolvedSchema());
    if (changes == null) {
      FactoryRules.checkLookupKey(identifier, columns);
    }
    return StandInSource.of(
        identifier, source, changes, columns, context.getCatalogTable().getOptions());
  }

  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    if (facts.sink() == null) {
      throw usedOnlyAs("source", "sink");
    }
    Format format = check(context, TableSide.SINK);
    boolean withKey = context.getCatalogTable().getResolvedSchema().getPrimaryKey().isPresent();
    return StandInSink.of(
        identifier,
        facts.sink(),
        withKey,
        format == null ? null : format.getChangelogMode(),
        context.getCatalogTable().getOptions());
  }

  /** The format of the table, or null. */
  private Format check(Context context, TableSide side) {
    Map<String, String> given = context.getCatalogTable().getOptions();
    TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
    Format format = null;
    if (facts.format() != null) {
      @SuppressWarnings("unchecked")
      ConfigOption<String> option = (ConfigOption<String>) options.get(facts.format());
      format =
          side == TableSide.SOURCE
              ? helper.discoverDecodingFormat(DeserializationFormatFactory.class, option)
              : helper.discoverEncodingFormat(SerializationFormatFactory.class, option);
    }
    if (facts.ignoresUnknownOptions()) {
      FactoryUtil.validateFactoryOptions(this, helper.getOptions());
    } else {
      List<String> open =
          side == TableSide.SOURCE ? facts.source().openPrefixes() : facts.sink().openPrefixes();
      if (open == null) {
        helper.validate();
      } else {
        helper.validateExcept(open.toArray(String[]::new));
      }
    }
    facts.options().forEach((key, option) -> checkValue(key, given.get(key), option));
    FactoryRules.checkCreation(
        identifier, side, new TableOptions(given, helper.getOptions(), options));
    return format;
  }

  private static void checkValue(String key, String value, Option option) {
    if (value != null
        && option.values() != null
        && option.values().stream().noneMatch(value::equalsIgnoreCase)) {
      throw new ValidationException(
          String.format(
              "Could not parse value '%s' for key '%s'. Expected one of: %s",
              value, key, option.values()));
    }
  }

  private ValidationException usedOnlyAs(String possible, String wanted) {
    return new ValidationException(
        String.format(
            "Connector '%s' can only be used as a %s. It cannot be used as a %s.",
            identifier, possible, wanted));
  }

  private static ConfigOption<?> configOption(String key, Option option) {
    ConfigOptions.OptionBuilder builder = ConfigOptions.key(key);
    ConfigOption<?> result =
        switch (option.type()) {
          case "Integer" -> builder.intType().noDefaultValue();
          case "Long" -> builder.longType().noDefaultValue();
          case "Boolean" -> builder.booleanType().noDefaultValue();
          case "Duration" -> builder.durationType().noDefaultValue();
          case "MemorySize" -> builder.memoryType().noDefaultValue();
          case "List<String>" -> builder.stringType().asList().noDefaultValue();
          case "String" ->
              option.defaultValue() == null
                  ? builder.stringType().noDefaultValue()
                  : builder.stringType().defaultValue(option.defaultValue());
          default -> throw new IllegalStateException("type of " + key + ": " + option.type());
        };
    return option.formerly() == null
        ? result
        : result.withDeprecatedKeys(option.formerly().toArray(String[]::new));
  }

  @Override
  public String factoryIdentifier() {
    return identifier;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return optionsThatAre(true);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return optionsThatAre(false);
  }

  private Set<ConfigOption<?>> optionsThatAre(boolean required) {
    Set<ConfigOption<?>> result = new LinkedHashSet<>();
    facts
        .options()
        .forEach(
            (key, option) -> {
              if (option.required() == required) {
                result.add(options.get(key));
              }
            });
    return result;
  }
}
