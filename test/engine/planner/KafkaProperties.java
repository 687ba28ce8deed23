import java.lang.reflect.Field;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.kafka.shaded.org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.flink.kafka.shaded.org.apache.kafka.clients.producer.ProducerConfig;

/** Prints the properties that the Kafka connector reads below {@code properties.}: a line for each, with who reads it. */
class KafkaProperties {
  public static void main(String[] arguments) throws ReflectiveOperationException {
    Set<String> source = new TreeSet<>(ConsumerConfig.configNames());
    for (Field field : KafkaSourceOptions.class.getDeclaredFields()) {
      if (field.get(null) instanceof ConfigOption<?> option) {
        source.add(option.key());
      }
    }
    Set<String> sink = new TreeSet<>(ProducerConfig.configNames());
    Class<?> writer = Class.forName("org.apache.flink.connector.kafka.sink.KafkaWriter");
    for (String constant : new String[] {"KEY_DISABLE_METRICS", "KEY_REGISTER_METRICS"}) {
      Field field = writer.getDeclaredField(constant);
      field.setAccessible(true);
      sink.add((String) field.get(null));
    }
    Set<String> all = new TreeSet<>(source);
    all.addAll(sink);
    for (String property : all) {
      String readers = source.contains(property) ? sink.contains(property) ? "both" : "source" : "sink";
      System.out.println(readers + " " + property);
    }
  }
}
