package io.github.cdkflinkpipeline.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.junit.jupiter.api.Test;

class FailuresTest {

  @Test
  void theRootSaysWhatIsWrongWithoutTheListsBelowIt() {
    Throwable failure =
        new IllegalStateException(
            "Unable to create a source",
            new IllegalArgumentException(
                "Unsupported options found for 'x'.\n\nUnsupported options:\n\na\n\nSupported options:\n\nb"));
    assertEquals(
        "Unsupported options found for 'x'.\n\nUnsupported options:\n\na",
        Failures.rootMessage(failure));
  }

  @Test
  void anErrorWithoutAMessageIsNamed() {
    assertEquals(
        "java.lang.NullPointerException", Failures.rootMessage(new NullPointerException()));
    assertEquals(
        "java.lang.NoClassDefFoundError: x/Y",
        Failures.rootMessage(new NoClassDefFoundError("x/Y")));
  }

  @Test
  void theLineOfTheValidatorIsFound() {
    Throwable failure =
        new IllegalStateException(
            "SQL validation failed. From line 3, column 7 to line 3, column 9",
            new IllegalArgumentException("Column 'x' not found"));
    assertEquals(3, Failures.line(failure));
    assertEquals(0, Failures.line(new IllegalStateException("no position")));
  }

  @Test
  void aFailureOfTheRestoreIsToldFromALaterOne() {
    Throwable refused = new IllegalStateException("must not be incompatible");
    refused.setStackTrace(frame("restoreInternal"));
    assertTrue(Failures.whileRestoring(new IllegalStateException("job failed", refused)));
    Throwable later = new ArithmeticException("/ by zero");
    later.setStackTrace(frame("invoke"));
    assertFalse(Failures.whileRestoring(new IllegalStateException("job failed", later)));
  }

  private static StackTraceElement[] frame(String method) {
    return new StackTraceElement[] {
      new StackTraceElement(StreamTask.class.getName(), method, "StreamTask.java", 1)
    };
  }
}
