package io.github.cdkflinkpipeline.dynamodb;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;

/**
 * What one subtask did. A request is shared by subtasks; it counts for the one whose key is the
 * first in it, so that sums over subtasks are right.
 */
final class LookupMetrics {

  private static final int WINDOW = 1000;

  /** Probes that found an item, or its absence, in the cache. */
  final Counter cacheHits;

  /** Probes that waited for a read that another had begun. */
  final Counter mergedProbes;

  /** Keys read. */
  final Counter readKeys;

  /** Requests to DynamoDB, those that it refused included. */
  final Counter requests;

  /** Requests that DynamoDB throttled, as a whole or in part. */
  final Counter throttles;

  /** Keys in one request. */
  final Histogram batchSize;

  /** Milliseconds that one request took. */
  final Histogram latency;

  LookupMetrics(MetricGroup parent) {
    MetricGroup group = parent.addGroup("dynamodbLookup");
    cacheHits = group.counter("cacheHits", new ThreadSafeSimpleCounter());
    mergedProbes = group.counter("mergedProbes", new ThreadSafeSimpleCounter());
    readKeys = group.counter("readKeys", new ThreadSafeSimpleCounter());
    requests = group.counter("requests", new ThreadSafeSimpleCounter());
    throttles = group.counter("throttles", new ThreadSafeSimpleCounter());
    batchSize = group.histogram("batchSize", new DescriptiveStatisticsHistogram(WINDOW));
    latency = group.histogram("latencyMillis", new DescriptiveStatisticsHistogram(WINDOW));
  }
}
