package io.varve.changes;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;

/**
 * An application of a user: Spring Boot with its own auto-configuration of Kafka and that of this
 * module, and one listener. Its topic and its group are the properties {@code test.topic} and
 * {@code test.group}.
 */
@ImportAutoConfiguration({KafkaAutoConfiguration.class, ChangeStreamAutoConfiguration.class})
class ListeningApplication {

  /** Collects changes; {@code before} may throw or block. */
  static class Listener {
    final List<Change> changes = new CopyOnWriteArrayList<>();
    final List<IndexDeletedEvent> deleted = new CopyOnWriteArrayList<>();
    volatile Consumer<Change> before = _ -> {};

    @KafkaListener(
        id = "listener",
        topics = "${test.topic}",
        groupId = "${test.group}",
        containerFactory = "changes")
    public void on(Change change) {
      before.accept(change);
      changes.add(change);
    }

    @EventListener
    public void on(IndexDeletedEvent event) {
      deleted.add(event);
    }
  }

  /** Collects batches. */
  static class BatchListener {
    final List<Change> changes = new CopyOnWriteArrayList<>();

    @KafkaListener(
        id = "batches",
        topics = "${test.topic}",
        groupId = "${test.group}",
        containerFactory = "changes",
        batch = "true")
    public void on(List<Change> batch) {
      changes.addAll(batch);
    }
  }

  static <T> ConfigurableApplicationContext start(T listener, Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("spring.main.banner-mode", "off");
    all.put("spring.kafka.consumer.max-poll-records", "20");
    all.put("varve.changes.deleted-check-millis", "200");
    return new SpringApplicationBuilder(ListeningApplication.class)
        .web(WebApplicationType.NONE)
        .initializers(context -> register((GenericApplicationContext) context, listener))
        .properties(all)
        .run();
  }

  @SuppressWarnings("unchecked")
  private static <T> void register(GenericApplicationContext context, T bean) {
    context.registerBean((Class<T>) bean.getClass(), () -> bean);
  }
}
