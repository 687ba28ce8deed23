package io.github.cdkflinkpipeline.dynamodb;

import static org.apache.flink.table.connector.source.lookup.LookupOptions.CACHE_TYPE;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.MAX_RETRIES;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_ACCESS;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.PARTIAL_CACHE_MAX_ROWS;

import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.logical.RowType;

/** {@code 'connector' = 'dynamodb-lookup'}: a DynamoDB table that rows are joined with by key. */
public final class DynamoDbLookupFactory implements DynamicTableSourceFactory {

  static final String IDENTIFIER = "dynamodb-lookup";

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(DynamoDbLookupOptions.TABLE_NAME, DynamoDbLookupOptions.REGION);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of(
        DynamoDbLookupOptions.ENDPOINT,
        DynamoDbLookupOptions.ASYNCHRONOUS,
        DynamoDbLookupOptions.CONSISTENT_READ,
        DynamoDbLookupOptions.BATCH_SIZE,
        DynamoDbLookupOptions.MISSING_KEY_EXPIRE_AFTER_WRITE,
        MAX_RETRIES,
        CACHE_TYPE,
        PARTIAL_CACHE_MAX_ROWS,
        PARTIAL_CACHE_EXPIRE_AFTER_WRITE,
        PARTIAL_CACHE_EXPIRE_AFTER_ACCESS,
        PARTIAL_CACHE_CACHE_MISSING_KEY);
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
    helper.validate();
    LookupSettings settings = LookupSettings.of(helper.getOptions());
    List<String> key =
        context
            .getCatalogTable()
            .getResolvedSchema()
            .getPrimaryKey()
            .map(UniqueConstraint::getColumns)
            .orElseThrow(
                () ->
                    new ValidationException(
                        "a 'dynamodb-lookup' table must declare the key of the DynamoDB table:"
                            + " PRIMARY KEY (...) NOT ENFORCED"));
    RowType columns = (RowType) context.getPhysicalRowDataType().getLogicalType();
    KeyReader.check(columns, key);
    ItemDecoder.check(columns);
    return new DynamoDbLookupSource(
        settings, columns, key, helper.getOptions().get(DynamoDbLookupOptions.ASYNCHRONOUS));
  }
}
