package io.github.cdkflinkpipeline.planner;

/** What a factory is asked for. A lookup table is a source. */
enum TableSide {
  SOURCE,
  SINK
}
