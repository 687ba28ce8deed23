package io.github.cdkflinkpipeline.planner;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.runtime.checkpoint.CheckpointCoordinator;
import org.apache.flink.streaming.runtime.tasks.StreamTask;

/** Makes one sentence of a chain of exceptions. */
final class Failures {

  private static final Pattern POSITION = Pattern.compile("line (\\d+), column (\\d+)");

  /** The lists that Flink ends some messages with, which hide what is wrong. */
  private static final Pattern LISTS =
      Pattern.compile(
          "\\s+(Table options are|Supported options|Was expecting( one of)?):\\s.*",
          Pattern.DOTALL);

  /** The methods by which Flink takes state back, of a job and in a task, by their classes. */
  private static final Map<String, String> RESTORES =
      Map.of(
          CheckpointCoordinator.class.getName(), "restoreSavepoint",
          StreamTask.class.getName(), "restoreInternal");

  private Failures() {}

  /** Whether a job failed before its tasks had their state back. */
  static boolean whileRestoring(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      for (StackTraceElement frame : cause.getStackTrace()) {
        if (frame.getMethodName().equals(RESTORES.get(frame.getClassName()))) {
          return true;
        }
      }
    }
    return false;
  }

  static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }

  static String rootMessage(Throwable failure) {
    Throwable root = root(failure);
    String message = root.getMessage();
    if (message == null || message.isBlank() || root instanceof Error) {
      return root.toString();
    }
    if (message.startsWith("There are not enough rules")) {
      return "Flink finds no plan for this query. A table that can only be looked up is read in a"
          + " join FOR SYSTEM_TIME AS OF a processing time alone.";
    }
    String cut = LISTS.matcher(message).replaceFirst("").strip();
    return root instanceof ClassNotFoundException ? "class not found: " + cut : cut;
  }

  /** Line within the statement, from 1, where the parser or validator names one; else 0. */
  static int line(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      Matcher position = message == null ? null : POSITION.matcher(message);
      if (position != null && position.find()) {
        return Integer.parseInt(position.group(1));
      }
    }
    return 0;
  }
}
