package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.RunRequest.Given;
import io.github.cdkflinkpipeline.planner.RunResult.Change;
import io.github.cdkflinkpipeline.planner.RunResult.Written;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/**
 * The tables of one run: what they are given and what they have got. Tasks of the cluster, which
 * run in this JVM, find them by their id.
 */
final class RunTables implements TableSwap {

  private static final Map<String, RunTables> ALL = new ConcurrentHashMap<>();

  /** A row and when it comes. */
  record Timed(int phase, RowData row) {}

  final String id = UUID.randomUUID().toString();

  /** The phases that have rows, in their order. */
  final Set<Integer> phases = new TreeSet<>();

  private final Map<String, List<Given>> given;
  private final Map<String, List<Timed>> rows = new ConcurrentHashMap<>();
  private final Set<String> sources = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> emitted = new ConcurrentHashMap<>();
  private final Map<String, List<String>> primaryKeys = new ConcurrentHashMap<>();
  private final Map<String, List<Change>> written = new ConcurrentHashMap<>();
  private final Set<String> writtenAsRecords = ConcurrentHashMap.newKeySet();
  private final Set<String> read = ConcurrentHashMap.newKeySet();

  private volatile int phase = Integer.MIN_VALUE;
  private volatile boolean ended;

  RunTables(Map<String, List<Given>> given) {
    this.given = given;
    given.values().forEach(list -> list.forEach(row -> phases.add(row.phase())));
    if (phases.isEmpty()) {
      phases.add(1);
    }
    ALL.put(id, this);
  }

  static RunTables find(String id) {
    return ALL.get(id);
  }

  void forget() {
    ALL.remove(id);
  }

  @Override
  public DynamicTableSource source(DynamicTableFactory.Context context, DynamicTableSource real) {
    String table = context.getObjectIdentifier().getObjectName();
    read.add(table);
    keep(table, context);
    return GivenSource.of(this, context, real);
  }

  @Override
  public DynamicTableSink sink(DynamicTableFactory.Context context, DynamicTableSink real) {
    String table = context.getObjectIdentifier().getObjectName();
    keep(table, context);
    written.computeIfAbsent(table, name -> new ArrayList<>());
    if (new TableFormats(context).writesText()) {
      writtenAsRecords.add(table);
    }
    return new CollectingSink(this, context, real);
  }

  private void keep(String table, DynamicTableFactory.Context context) {
    context
        .getCatalogTable()
        .getResolvedSchema()
        .getPrimaryKey()
        .ifPresent(key -> primaryKeys.put(table, key.getColumns()));
  }

  List<Given> given(String table) {
    return given.getOrDefault(table, List.of());
  }

  /** Throws where rows are given to a table that the program does not read. */
  void checkNames() {
    for (String table : given.keySet()) {
      if (!read.contains(table)) {
        throw new IllegalArgumentException(
            String.format(
                "rows are given to table '%s', which the program does not read; it reads %s",
                table, new TreeSet<>(read)));
      }
    }
  }

  void put(String table, List<Timed> timed) {
    rows.put(table, timed);
  }

  List<Timed> rows(String table) {
    return rows.getOrDefault(table, List.of());
  }

  /** The rows of a key as the changes until the running phase have left them. */
  Collection<RowData> find(String table, RowType type, int[] keys, RowData key) {
    Map<Object, RowData> left = new LinkedHashMap<>();
    int[] identity = identity(table, type);
    for (Timed timed : rows(table)) {
      if (timed.phase() > phase) {
        continue;
      }
      List<Object> id = valuesOf(timed.row(), type, identity);
      RowKind kind = timed.row().getRowKind();
      if (kind == RowKind.INSERT || kind == RowKind.UPDATE_AFTER) {
        left.put(id, timed.row());
      } else if (kind == RowKind.DELETE) {
        left.remove(id);
      }
    }
    return left.values().stream().filter(row -> hasKey(row, type, keys, key)).toList();
  }

  /** The columns of the primary key, or all of a table that has none. */
  private int[] identity(String table, RowType type) {
    List<String> key = primaryKeys.getOrDefault(table, type.getFieldNames());
    return key.stream().mapToInt(type.getFieldNames()::indexOf).filter(i -> i >= 0).toArray();
  }

  private static List<Object> valuesOf(RowData row, RowType type, int[] columns) {
    List<Object> values = new ArrayList<>();
    for (int column : columns) {
      values.add(RowData.createFieldGetter(type.getTypeAt(column), column).getFieldOrNull(row));
    }
    return values;
  }

  private static boolean hasKey(RowData row, RowType type, int[] keys, RowData key) {
    for (int index = 0; index < keys.length; index++) {
      LogicalType column = type.getTypeAt(keys[index]);
      Object wanted = RowData.createFieldGetter(column, index).getFieldOrNull(key);
      Object given = RowData.createFieldGetter(column, keys[index]).getFieldOrNull(row);
      if (!Objects.equals(wanted, given)) {
        return false;
      }
    }
    return true;
  }

  void begin(int nextPhase) {
    phase = nextPhase;
  }

  void end() {
    ended = true;
  }

  int phase() {
    return phase;
  }

  boolean ended() {
    return ended;
  }

  /** Told by a source before it runs. */
  void started(String source) {
    sources.add(source);
  }

  void emitted(String source, int ofPhase) {
    emitted.put(source, ofPhase);
  }

  /** Whether all sources that have started have emitted their rows of the phase. */
  boolean emitted(int ofPhase) {
    return sources.stream()
        .allMatch(source -> emitted.getOrDefault(source, Integer.MIN_VALUE) >= ofPhase);
  }

  void write(String table, Change change) {
    List<Change> changes = written.get(table);
    synchronized (changes) {
      changes.add(change);
    }
  }

  Integer phaseOfChange() {
    return ended ? null : Integer.valueOf(phase);
  }

  Map<String, Written> written() {
    Map<String, Written> result = new TreeMap<>();
    written.forEach(
        (table, changes) -> {
          synchronized (changes) {
            result.put(
                table,
                new Written(
                    writtenAsRecords.contains(table),
                    List.copyOf(changes),
                    rowsOf(changes, primaryKeys.get(table))));
          }
        });
    return result;
  }

  private static List<JsonNode> rowsOf(List<Change> changes, List<String> primaryKey) {
    Map<JsonNode, JsonNode> byKey = new LinkedHashMap<>();
    List<JsonNode> all = new ArrayList<>();
    for (Change change : changes) {
      boolean adds = change.op().equals("+I") || change.op().equals("+U");
      if (primaryKey == null) {
        if (adds) {
          all.add(change.row());
        } else {
          all.remove(change.row());
        }
      } else if (adds) {
        byKey.put(keyOf(change.row(), primaryKey), change.row());
      } else if (change.op().equals("-D")) {
        byKey.remove(keyOf(change.row(), primaryKey));
      }
    }
    return primaryKey == null ? all : List.copyOf(byKey.values());
  }

  private static JsonNode keyOf(JsonNode row, List<String> primaryKey) {
    ArrayNode key = JsonNodeFactory.instance.arrayNode();
    primaryKey.forEach(column -> key.add(row.get(column)));
    return key;
  }
}
