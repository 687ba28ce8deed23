package io.github.cdkflinkpipeline.planner;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.types.RowKind;

/**
 * What the factories of connectors take and answer, as asked of the real ones of Flink 2.2: a
 * stand-in takes and answers the same.
 */
record ConnectorCatalogue(String flink, Map<String, Connector> connectors) {

  /**
   * One connector.
   *
   * @param format option that names the format, where there is one
   * @param unknownOptions {@code ignored} where the factory never looks for unknown options
   */
  record Connector(
      Map<String, Option> options, String format, String unknownOptions, Source source, Sink sink) {

    boolean ignoresUnknownOptions() {
      return "ignored".equals(unknownOptions);
    }
  }

  /**
   * One option.
   *
   * @param values the only values, in any case
   * @param formerly older names that the factory still reads
   */
  record Option(
      String type,
      boolean required,
      String defaultValue,
      List<String> values,
      List<String> formerly) {}

  /**
   * What a table does that is read.
   *
   * @param changes kinds of rows, or {@code format}; null where the table cannot be scanned
   * @param lookup {@code sync} or {@code async}; null where the table cannot be looked up
   * @param openPrefixes prefixes of options that the factory hands on unseen
   */
  record Source(
      Object changes,
      String provider,
      boolean bounded,
      String lookup,
      Map<String, String> metadata,
      List<String> openPrefixes) {}

  /**
   * What a table does that is written.
   *
   * @param changes {@code format} where the format decides
   * @param withKey answers with a primary key
   * @param withoutKey answers without one
   * @param parallelism whether {@code sink.parallelism} has an effect
   */
  record Sink(
      String changes,
      Answers withKey,
      Answers withoutKey,
      String provider,
      boolean parallelism,
      List<String> abilities,
      List<String> openPrefixes) {}

  /** What a sink answers when it is asked to take only inserts, upserts, or all changes. */
  record Answers(Answer insertOnly, Answer upsert, Answer all) {

    Answer to(ChangelogMode requested) {
      if (requested.containsOnly(RowKind.INSERT)) {
        return insertOnly;
      }
      return requested.contains(RowKind.UPDATE_BEFORE) ? all : upsert;
    }
  }

  /** The kinds that a sink takes, or why it takes none. */
  record Answer(Set<String> kinds, boolean keyOnlyDeletes, String refusal) {

    ChangelogMode changelogMode() {
      return mode(kinds, keyOnlyDeletes);
    }
  }

  static ChangelogMode mode(Iterable<?> kinds, boolean keyOnlyDeletes) {
    ChangelogMode.Builder mode = ChangelogMode.newBuilder().keyOnlyDeletes(keyOnlyDeletes);
    Set<String> wanted = new LinkedHashSet<>();
    kinds.forEach(kind -> wanted.add((String) kind));
    for (RowKind kind : RowKind.values()) {
      if (wanted.contains(kind.shortString())) {
        mode.addContainedKind(kind);
      }
    }
    return mode.build();
  }

  static ConnectorCatalogue load() {
    try (InputStream json = ConnectorCatalogue.class.getResourceAsStream("connectors.json")) {
      return new ObjectMapper().readValue(json, ConnectorCatalogue.class);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
