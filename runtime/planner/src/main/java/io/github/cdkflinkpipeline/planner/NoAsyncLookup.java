package io.github.cdkflinkpipeline.planner;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;

/** The asynchronous lookup function of a stand-in. Flink asks for a public class. */
public final class NoAsyncLookup extends AsyncLookupFunction {

  private static final long serialVersionUID = 1L;

  @Override
  public CompletableFuture<Collection<RowData>> asyncLookup(RowData key) {
    throw StandInSource.cannotRun();
  }
}
