package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.RunResult.HeldState;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;

/** Says which operators of a savepoint hold state. */
final class SavepointReader {

  private SavepointReader() {}

  static List<HeldState> read(String savepoint) throws IOException {
    Path metadata = Path.of(URI.create(savepoint)).resolve("_metadata");
    try (DataInputStream input = new DataInputStream(Files.newInputStream(metadata))) {
      CheckpointMetadata checkpoint =
          Checkpoints.loadCheckpointMetadata(
              input, SavepointReader.class.getClassLoader(), savepoint);
      return checkpoint.getOperatorStates().stream().map(SavepointReader::held).toList();
    }
  }

  private static HeldState held(OperatorState state) {
    List<OperatorSubtaskState> subtasks = List.copyOf(state.getStates());
    return new HeldState(
        state.getOperatorID().toHexString(),
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
