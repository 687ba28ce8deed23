package io.github.cdkflinkpipeline.planner;

import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableFactory;

/** Puts something else in the place of a table's two ends, after its factory has checked it. */
interface TableSwap {

  TableSwap NONE =
      new TableSwap() {
        @Override
        public DynamicTableSource source(
            DynamicTableFactory.Context context, DynamicTableSource real) {
          return real;
        }

        @Override
        public DynamicTableSink sink(DynamicTableFactory.Context context, DynamicTableSink real) {
          return real;
        }
      };

  DynamicTableSource source(DynamicTableFactory.Context context, DynamicTableSource real);

  DynamicTableSink sink(DynamicTableFactory.Context context, DynamicTableSink real);
}
