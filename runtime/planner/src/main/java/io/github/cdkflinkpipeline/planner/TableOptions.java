package io.github.cdkflinkpipeline.planner;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;

/** The options of one table, by key. */
record TableOptions(
    Map<String, String> given, ReadableConfig config, Map<String, ConfigOption<?>> known) {

  boolean has(String key) {
    return given.containsKey(key);
  }

  /** The text of an option, empty where it is not given. */
  String text(String key) {
    return given.getOrDefault(key, "");
  }

  boolean is(String key, String value) {
    return value.equalsIgnoreCase(given.get(key));
  }

  /** The value of an option that the catalogue knows, null where it is not given. */
  @SuppressWarnings("unchecked")
  <T> T get(String key) {
    return (T) config.getOptional(known.get(key)).orElse(null);
  }

  /** Whether all or none of the options are given. */
  boolean together(String... keys) {
    List<String> all = Arrays.asList(keys);
    return all.stream().allMatch(this::has) || all.stream().noneMatch(this::has);
  }
}
