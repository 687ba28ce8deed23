package io.github.cdkflinkpipeline.planner;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;

/** Flink itself, in this JVM: started by the first run, ended with the process. */
final class RunCluster implements AutoCloseable {

  private MiniCluster cluster;
  private Path directory;

  synchronized MiniCluster get() throws Exception {
    if (cluster == null || !cluster.isRunning()) {
      close();
      directory = Files.createTempDirectory("cdk-flink-pipeline-");
      MiniCluster starting =
          new MiniCluster(
              new MiniClusterConfiguration.Builder()
                  .setNumTaskManagers(1)
                  .setNumSlotsPerTaskManager(64)
                  .setConfiguration(Configuration.fromMap(configuration(directory)))
                  .build());
      starting.start();
      cluster = starting;
    }
    return cluster;
  }

  /** Where the cluster keeps its files; nobody else writes there. */
  synchronized Path directory() {
    return directory;
  }

  /** No port that another run could have, no directory that another run could write to. */
  private static Map<String, String> configuration(Path directory) {
    return Map.ofEntries(
        Map.entry("rest.port", "0"),
        Map.entry("rest.bind-address", "127.0.0.1"),
        Map.entry("io.tmp.dirs", directory.toString()),
        Map.entry("web.tmpdir", directory.toString()),
        Map.entry("process.working-dir", directory.resolve("work").toString()),
        Map.entry("taskmanager.memory.network.min", "128mb"),
        Map.entry("taskmanager.memory.network.max", "128mb"),
        // Window operators take their share of a slot.
        Map.entry("taskmanager.memory.managed.size", "1gb"));
  }

  /** Once more is nothing: the process may be told to end from two sides. */
  @Override
  public synchronized void close() {
    if (cluster == null || !Files.exists(directory)) {
      return;
    }
    try {
      cluster.close();
    } catch (Exception failure) {
      failure.printStackTrace();
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
