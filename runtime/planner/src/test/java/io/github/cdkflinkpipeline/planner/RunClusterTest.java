package io.github.cdkflinkpipeline.planner;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.junit.jupiter.api.Test;

class RunClusterTest {

  @Test
  void aClusterThatHasDiedIsReplacedAndLeavesNoDirectory() throws Exception {
    RunCluster cluster = new RunCluster();
    MiniCluster first = cluster.get();
    Path left = cluster.directory();
    assertSame(first, cluster.get());
    // As Flink does itself after an error that a task manager does not survive.
    first.close();

    MiniCluster second = cluster.get();
    assertNotSame(first, second);
    assertTrue(second.isRunning());
    assertNotEquals(left, cluster.directory());
    assertFalse(Files.exists(left));

    cluster.close();
    assertFalse(second.isRunning());
    assertFalse(Files.exists(cluster.directory()));
  }
}
