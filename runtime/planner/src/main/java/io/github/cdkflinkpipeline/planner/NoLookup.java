package io.github.cdkflinkpipeline.planner;

import java.util.Collection;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.LookupFunction;

/** The lookup function of a stand-in. Flink asks for a public class. */
public final class NoLookup extends LookupFunction {

  private static final long serialVersionUID = 1L;

  @Override
  public Collection<RowData> lookup(RowData key) {
    throw StandInSource.cannotRun();
  }
}
