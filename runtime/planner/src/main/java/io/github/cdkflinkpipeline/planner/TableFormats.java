package io.github.cdkflinkpipeline.planner;

import java.util.Set;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.FactoryUtil.TableFactoryHelper;
import org.apache.flink.table.factories.SerializationFormatFactory;

/** The formats of a table as its options name them; the real ones, which need no connector. */
final class TableFormats {

  private static final Set<String> BINARY = Set.of("avro", "avro-confluent", "protobuf");

  private final DynamicTableFactory.Context context;

  TableFormats(DynamicTableFactory.Context context) {
    this.context = context;
  }

  String option(String key) {
    return context.getCatalogTable().getOptions().get(key);
  }

  /** The format that reads values, null where the table has none. */
  DecodingFormat<DeserializationSchema<RowData>> decoding() {
    ConfigOption<String> option = valueFormat();
    return option == null
        ? null
        : helper().discoverDecodingFormat(DeserializationFormatFactory.class, option);
  }

  /** The format that writes values, null where the table has none, or one of whole files. */
  EncodingFormat<SerializationSchema<RowData>> encoding() {
    return encoding(valueFormat());
  }

  /** Whether a format writes values, each as a record of text. */
  boolean writesText() {
    ConfigOption<String> format = valueFormat();
    return format != null && !ofWholeFiles(format) && !BINARY.contains(option(format.key()));
  }

  /** The format that writes keys, null where the table has none. */
  EncodingFormat<SerializationSchema<RowData>> keyEncoding() {
    return encoding(present("key.format"));
  }

  private EncodingFormat<SerializationSchema<RowData>> encoding(ConfigOption<String> option) {
    if (option == null || ofWholeFiles(option)) {
      return null;
    }
    return helper().discoverEncodingFormat(SerializationFormatFactory.class, option);
  }

  /** Avro is written in whole files by the file system alone, which has a format of that name. */
  private boolean ofWholeFiles(ConfigOption<String> format) {
    return switch (option(format.key())) {
      case "parquet", "orc" -> true;
      case "avro" -> "filesystem".equals(option("connector"));
      default -> false;
    };
  }

  private ConfigOption<String> valueFormat() {
    ConfigOption<String> format = present("value.format");
    return format == null ? present("format") : format;
  }

  private ConfigOption<String> present(String key) {
    return option(key) == null ? null : ConfigOptions.key(key).stringType().noDefaultValue();
  }

  private TableFactoryHelper helper() {
    return FactoryUtil.createTableFactoryHelper(new AnyFactory(), context);
  }

  /** The helper asks for a factory, whose options only its validation looks at. */
  private static final class AnyFactory implements DynamicTableFactory {

    @Override
    public String factoryIdentifier() {
      return "any";
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
