package io.github.cdkflinkpipeline.dynamodb;

import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** Metrics of a subtask with the names of their groups. */
final class CollectedMetrics extends UnregisteredMetricsGroup {

  private final String path;
  private final Map<String, Gauge<?>> metrics;

  CollectedMetrics() {
    this("", new TreeMap<>());
  }

  private CollectedMetrics(String path, Map<String, Gauge<?>> metrics) {
    this.path = path;
    this.metrics = metrics;
  }

  /** Null where no counter and no gauge has the name. */
  Object value(String name) {
    Gauge<?> metric = metrics.get(name);
    return metric == null ? null : metric.getValue();
  }

  @Override
  public MetricGroup addGroup(String name) {
    return new CollectedMetrics(path + name + ".", metrics);
  }

  @Override
  public <C extends Counter> C counter(String name, C counter) {
    metrics.put(path + name, counter::getCount);
    return counter;
  }

  @Override
  public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
    metrics.put(path + name, gauge);
    return gauge;
  }
}
