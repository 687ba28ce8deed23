package io.github.cdkflinkpipeline.planner;

import java.util.Collection;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.LookupFunction;
import org.apache.flink.table.types.logical.RowType;

/** Looks up rows that were given. Flink demands that it is public. */
public final class GivenLookup extends LookupFunction {
  private static final long serialVersionUID = 1L;

  private final String run;
  private final String table;
  private final RowType type;
  private final int[] keys;

  GivenLookup(String run, String table, RowType type, int[] keys) {
    this.run = run;
    this.table = table;
    this.type = type;
    this.keys = keys;
  }

  @Override
  public Collection<RowData> lookup(RowData key) {
    return RunTables.find(run).find(table, type, keys, key);
  }
}
