package io.github.cdkflinkpipeline.dynamodb;

/** A lookup that cannot go on. */
final class LookupFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LookupFailure(String message) {
    super(message);
  }

  LookupFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
