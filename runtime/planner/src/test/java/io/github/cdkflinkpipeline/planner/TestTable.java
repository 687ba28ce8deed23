package io.github.cdkflinkpipeline.planner;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;

/** What Flink tells a factory of a table. */
final class TestTable {

  private TestTable() {}

  static DynamicTableFactory.Context context(
      String name, List<Column> columns, List<String> primaryKey, Map<String, String> options) {
    ResolvedSchema schema =
        new ResolvedSchema(
            columns,
            List.of(),
            primaryKey.isEmpty() ? null : UniqueConstraint.primaryKey("key", primaryKey),
            List.of());
    CatalogTable table =
        CatalogTable.newBuilder()
            .schema(Schema.newBuilder().fromResolvedSchema(schema).build())
            .options(new HashMap<>(options))
            .build();
    return new FactoryUtil.DefaultDynamicTableContext(
        ObjectIdentifier.of("catalog", "database", name),
        new ResolvedCatalogTable(table, schema),
        Map.of(),
        new Configuration(),
        TestTable.class.getClassLoader(),
        false);
  }
}
