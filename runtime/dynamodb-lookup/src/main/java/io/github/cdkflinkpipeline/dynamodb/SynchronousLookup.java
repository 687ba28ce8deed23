package io.github.cdkflinkpipeline.dynamodb;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;

/** Looks one row up after the other. */
public final class SynchronousLookup extends LookupFunction {

  private static final long serialVersionUID = 1L;

  private final ItemProbe probe;

  SynchronousLookup(ItemProbe probe) {
    this.probe = probe;
  }

  @Override
  public void open(FunctionContext context) throws InterruptedException {
    probe.open(context.getMetricGroup());
  }

  @Override
  public Collection<RowData> lookup(RowData values) throws IOException {
    try {
      return probe.lookup(values).get();
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
      throw new IOException(cancelled);
    }
  }

  @Override
  public void close() {
    probe.close();
  }
}
