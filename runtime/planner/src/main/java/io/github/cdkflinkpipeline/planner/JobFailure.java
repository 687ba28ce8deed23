package io.github.cdkflinkpipeline.planner;

import java.util.List;

/** A job that Flink has ended. */
final class JobFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> operators;

  /**
   * @param operators ids of those where it failed, as far as the request has named them
   */
  JobFailure(Throwable cause, List<String> operators) {
    super(cause);
    this.operators = operators;
  }

  List<String> operators() {
    return operators;
  }
}
