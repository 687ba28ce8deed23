package io.github.cdkflinkpipeline.dynamodb;

import java.util.function.LongSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.apache.flink.metrics.groups.CacheMetricGroup;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.apache.flink.runtime.metrics.groups.InternalCacheMetricGroup;

/**
 * What one subtask did. A request is shared by subtasks; it counts for the one whose key is the
 * first in it, so that sums over subtasks are right.
 */
final class LookupMetrics {

  private static final int WINDOW = 1000;

  /** Probes that found an item, or its absence, in the cache. */
  final Counter cacheHits = new ThreadSafeSimpleCounter();

  /**
   * Probes that did not: those that began a read, and those that waited for the read of another.
   */
  final Counter cacheMisses = new ThreadSafeSimpleCounter();

  /** Reads of a key that ended well. */
  final Counter loads = new ThreadSafeSimpleCounter();

  /** Reads of a key that failed. */
  final Counter loadFailures = new ThreadSafeSimpleCounter();

  /** Milliseconds. */
  volatile long latestLoadTime = InternalCacheMetricGroup.UNINITIALIZED;

  /** Probes that waited for a read that another had begun. */
  final Counter mergedProbes;

  /** Keys read. */
  final Counter readKeys;

  /** Keys read that have no item. */
  final Counter missingKeys;

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
    mergedProbes = group.counter("mergedProbes", new ThreadSafeSimpleCounter());
    readKeys = group.counter("readKeys", new ThreadSafeSimpleCounter());
    missingKeys = group.counter("missingKeys", new ThreadSafeSimpleCounter());
    requests = group.counter("requests", new ThreadSafeSimpleCounter());
    throttles = group.counter("throttles", new ThreadSafeSimpleCounter());
    batchSize = group.histogram("batchSize", new DescriptiveStatisticsHistogram(WINDOW));
    latency = group.histogram("latencyMillis", new DescriptiveStatisticsHistogram(WINDOW));
  }

  /** Shows what Flink shows of the caches of other lookups, by the same names. */
  void showCache(MetricGroup parent, LongSupplier size) {
    CacheMetricGroup group = new InternalCacheMetricGroup(parent, "cache");
    group.hitCounter(cacheHits);
    group.missCounter(cacheMisses);
    group.loadCounter(loads);
    group.numLoadFailuresCounter(loadFailures);
    group.latestLoadTimeGauge(() -> latestLoadTime);
    group.numCachedRecordsGauge(size::getAsLong);
  }
}
