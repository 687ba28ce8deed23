package io.github.cdkflinkpipeline.dynamodb;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;

/** Looks rows up without waiting for the one before. */
public final class AsynchronousLookup extends AsyncLookupFunction {

  private static final long serialVersionUID = 1L;

  private final ItemProbe probe;

  AsynchronousLookup(ItemProbe probe) {
    this.probe = probe;
  }

  @Override
  public void open(FunctionContext context) throws InterruptedException {
    probe.open(context.getMetricGroup());
  }

  @Override
  public CompletableFuture<Collection<RowData>> asyncLookup(RowData values) {
    return probe.lookup(values);
  }

  @Override
  public void close() {
    probe.close();
  }
}
