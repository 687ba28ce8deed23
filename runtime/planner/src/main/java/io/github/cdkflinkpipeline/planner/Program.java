package io.github.cdkflinkpipeline.planner;

import java.util.List;
import java.util.Map;

/**
 * A SQL program to plan.
 *
 * @param script the script, with placeholders
 * @param configuration Flink options that bear on a plan
 * @param jars paths of jars with connectors, formats and functions
 */
record Program(String script, Map<String, String> configuration, List<String> jars) {

  Program {
    if (script.contains("${Token[")) {
      throw new IllegalArgumentException(
          "the script holds an unresolved CDK token: values known at deployment only stand in it as"
              + " ${env:NAME}");
    }
    configuration = configuration == null ? Map.of() : configuration;
    jars = jars == null ? List.of() : jars;
  }
}
