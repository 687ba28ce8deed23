package io.github.cdkflinkpipeline.runner;

/**
 * A failure of the script. Its message holds no value of an environment variable, and it has no
 * cause that could.
 */
public final class SqlRunnerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SqlRunnerException(String message) {
    super(message);
  }
}
