package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.RunRequest.NamedOperator;
import io.github.cdkflinkpipeline.planner.RunResult.HeldState;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.shaded.guava33.com.google.common.hash.Hashing;

/** Says which operators of a savepoint hold state. */
final class SavepointReader {

  private SavepointReader() {}

  /** The savepoint of a URI, which may be that of a directory with one savepoint; null for null. */
  static String find(String uri) throws IOException {
    if (uri == null || Files.exists(Path.of(URI.create(uri)).resolve("_metadata"))) {
      return uri;
    }
    try (Stream<Path> children = Files.list(Path.of(URI.create(uri)))) {
      List<Path> savepoints =
          children.filter(child -> Files.exists(child.resolve("_metadata"))).toList();
      if (savepoints.size() != 1) {
        throw new IllegalArgumentException("there is not one savepoint in " + uri);
      }
      return savepoints.get(0).toUri().toString();
    }
  }

  /**
   * @param operators those that were given ids, which stand in the result
   */
  static List<HeldState> read(String savepoint, List<NamedOperator> operators) throws IOException {
    Map<String, String> given = namesByHash(operators);
    Path metadata = Path.of(URI.create(savepoint)).resolve("_metadata");
    try (DataInputStream input = new DataInputStream(Files.newInputStream(metadata))) {
      CheckpointMetadata checkpoint =
          Checkpoints.loadCheckpointMetadata(
              input, SavepointReader.class.getClassLoader(), savepoint);
      return checkpoint.getOperatorStates().stream().map(state -> held(state, given)).toList();
    }
  }

  /** The ids that operators were given by those that Flink makes of them. */
  static Map<String, String> namesByHash(List<NamedOperator> operators) {
    Map<String, String> names = new HashMap<>();
    operators.forEach(operator -> names.put(idFromUid(operator.id()), operator.id()));
    return names;
  }

  /** As Flink makes it (StreamGraphHasherV2), which has no public method for it. */
  private static String idFromUid(String uid) {
    return new OperatorID(
            Hashing.murmur3_128(0)
                .newHasher()
                .putString(uid, StandardCharsets.UTF_8)
                .hash()
                .asBytes())
        .toHexString();
  }

  private static HeldState held(OperatorState state, Map<String, String> given) {
    List<OperatorSubtaskState> subtasks = List.copyOf(state.getStates());
    String id = state.getOperatorID().toHexString();
    return new HeldState(
        given.getOrDefault(id, id),
        subtasks.stream()
            .flatMap(
                subtask ->
                    Stream.concat(
                        subtask.getManagedKeyedState().stream(),
                        subtask.getRawKeyedState().stream()))
            .anyMatch(SavepointReader::hasKeys),
        subtasks.stream()
            .anyMatch(
                subtask ->
                    !subtask.getManagedOperatorState().isEmpty()
                        || !subtask.getRawOperatorState().isEmpty()));
  }

  /** A key group without keys has no place in the file. */
  private static boolean hasKeys(KeyedStateHandle handle) {
    if (!(handle instanceof KeyGroupsStateHandle keyGroups)) {
      return true;
    }
    KeyGroupRangeOffsets offsets = keyGroups.getGroupRangeOffsets();
    for (int keyGroup : offsets.getKeyGroupRange()) {
      if (offsets.getKeyGroupOffset(keyGroup) > 0) {
        return true;
      }
    }
    return false;
  }
}
