package io.github.cdkflinkpipeline.planner;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;

/** Looks up rows that were given. Flink demands that it is public. */
public final class AsyncGivenLookup extends AsyncLookupFunction {
  private static final long serialVersionUID = 1L;

  private final GivenLookup lookup;

  AsyncGivenLookup(GivenLookup lookup) {
    this.lookup = lookup;
  }

  @Override
  public CompletableFuture<Collection<RowData>> asyncLookup(RowData key) {
    return CompletableFuture.completedFuture(lookup.lookup(key));
  }
}
