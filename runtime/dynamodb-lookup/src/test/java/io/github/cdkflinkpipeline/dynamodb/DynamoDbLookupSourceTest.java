package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.connector.source.LookupTableSource.LookupContext;
import org.apache.flink.table.connector.source.LookupTableSource.LookupRuntimeProvider;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

class DynamoDbLookupSourceTest {

  private static LookupRuntimeProvider provider(boolean asynchronous) {
    RowType columns =
        (RowType)
            DataTypes.ROW(DataTypes.FIELD("id", DataTypes.STRING().notNull())).getLogicalType();
    LookupContext context =
        (LookupContext)
            Proxy.newProxyInstance(
                LookupContext.class.getClassLoader(),
                new Class<?>[] {LookupContext.class},
                (proxy, method, arguments) -> new int[][] {{0}});
    return new DynamoDbLookupSource(
            new LookupSettings("t", "eu-west-1", null, false, 100, 3, null),
            columns,
            List.of("id"),
            asynchronous)
        .getLookupRuntimeProvider(context);
  }

  @Test
  void looksUpAsTheOptionSays() {
    assertInstanceOf(AsyncLookupFunctionProvider.class, provider(true));
    assertInstanceOf(LookupFunctionProvider.class, provider(false));
  }
}
