package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

class SynchronousLookupTest {

  @Test
  void aTaskThatIsCancelledDoesNotWait() throws Exception {
    try (Dynalite dynamo = new Dynalite()) {
      dynamo.createTable("users", ScalarAttributeType.N, "id");
      RowType columns =
          (RowType) DataTypes.ROW(DataTypes.FIELD("id", DataTypes.INT())).getLogicalType();
      List<String> key = List.of("id");
      ItemProbe probe =
          new ItemProbe(
              new LookupSettings(
                  "users", "eu-west-1", URI.create(dynamo.endpoint()), false, 100, 3, null),
              columns,
              key,
              key);
      probe.open(new UnregisteredMetricsGroup());
      SynchronousLookup lookup = new SynchronousLookup(probe);
      try {
        assertEquals(List.of(), lookup.lookup(GenericRowData.of(1)));
        dynamo.delayMillis = 60_000;
        Thread.currentThread().interrupt();
        IOException failure =
            assertThrows(IOException.class, () -> lookup.lookup(GenericRowData.of(1)));
        assertInstanceOf(InterruptedException.class, failure.getCause());
        assertTrue(Thread.interrupted());
      } finally {
        lookup.close();
      }
      assertEquals(0, SharedTable.inUse());
    }
  }
}
