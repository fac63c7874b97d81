package io.varve.changes;

import io.varve.log.MessageLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.FilteringMessageListenerAdapter;
import org.springframework.kafka.support.converter.BatchMessagingMessageConverter;

/**
 * Creates listener containers that deliver the accepted operations of indices: each once, in the
 * order of their seq_nos within a shard.
 */
public final class ChangeContainers implements AutoCloseable {

  /** The name of the container factory for {@code @KafkaListener}. */
  public static final String FACTORY = "changes";

  private static final String CLIENT_ID = "varve-changes";

  private final Map<String, Object> consumer;
  private final IndexNames names;
  private final SharedLog log;
  private final DeletedTopics deleted;

  /**
   * @param consumer properties of Kafka's consumers: {@code bootstrap.servers}, security
   * @param deletedCheckMillis period of the check for deleted topics
   */
  public ChangeContainers(Map<String, Object> consumer, IndexNames names, long deletedCheckMillis) {
    this.consumer = fixed(consumer);
    this.names = names;
    this.log = new SharedLog(() -> open(this.consumer));
    this.deleted = new DeletedTopics(log, deletedCheckMillis);
  }

  /**
   * A group's offset is set only by {@link ChangeAssignments}: with a reset policy, a consumer
   * whose offset was truncated would silently continue at another offset.
   */
  private static Map<String, Object> fixed(Map<String, Object> consumer) {
    Map<String, Object> all = new HashMap<>(consumer);
    all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return all;
  }

  private static MessageLog open(Map<String, Object> consumer) {
    Map<String, String> security = new HashMap<>();
    consumer.forEach((name, value) -> {
      if (name.startsWith("security.") || name.startsWith("ssl.") || name.startsWith("sasl.")) {
        security.put(name, String.valueOf(value));
      }
    });
    return new KafkaMessageLog(
        KafkaLogConfig.of(
                addresses(consumer.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)), CLIENT_ID)
            .withSecurity(new KafkaLogConfig.Security(security, 0)));
  }

  private static String addresses(@Nullable Object servers) {
    return servers instanceof Collection<?> several
        ? several.stream().map(String::valueOf).collect(Collectors.joining(","))
        : String.valueOf(servers);
  }

  /** Notified of each topic that was deleted while a container followed it. */
  public void onDeleted(Consumer<ChangeTopic> listener) {
    deleted.tell(listener);
  }

  /**
   * The container factory.
   *
   * @param start the position at which groups without offsets start
   * @param errors handles what a listener throws; null to deliver a change again until its listener
   *     succeeds
   */
  public ConcurrentKafkaListenerContainerFactory<byte[], byte[]> factory(
      ChangeStart start, @Nullable CommonErrorHandler errors) {
    return factory(
        new ChangeAssignments(start, false),
        new ChangeErrorHandler(errors == null ? ChangeErrorHandler.retrying() : errors, _ -> {}));
  }

  private ConcurrentKafkaListenerContainerFactory<byte[], byte[]> factory(
      ChangeAssignments assignments, CommonErrorHandler errors) {
    DefaultKafkaConsumerFactory<byte[], byte[]> consumers =
        new DefaultKafkaConsumerFactory<>(consumer);
    consumers.addPostProcessor(new FencedConsumers(new StartingFences(log), assignments));
    ConcurrentKafkaListenerContainerFactory<byte[], byte[]> factory =
        new ConcurrentKafkaListenerContainerFactory<>();
    ChangeConverter converter = new ChangeConverter(names);
    factory.setConsumerFactory(consumers);
    factory.setRecordFilterStrategy(new FenceFilter());
    factory.setRecordMessageConverter(converter);
    factory.setBatchMessageConverter(new BatchMessagingMessageConverter(converter));
    factory.setCommonErrorHandler(errors);
    factory.setMissingTopicsFatal(true);
    factory.setContainerCustomizer(deleted::watch);
    return factory;
  }

  /**
   * The parts of a container for one topic.
   *
   * @param anew whether to start at {@code start} even if the group has offsets
   * @param failed receives the failure at which the container stops
   */
  record Following(
      ChangeTopic topic,
      String group,
      ChangeStart start,
      boolean anew,
      Consumer<Change> listener,
      Consumer<ChangeStreamException> failed) {}

  /**
   * A container for one topic, to be started by the caller. When it stops, it finishes the change
   * in progress and commits.
   */
  ConcurrentMessageListenerContainer<byte[], byte[]> container(Following following) {
    ConcurrentKafkaListenerContainerFactory<byte[], byte[]> factory =
        factory(
            new ChangeAssignments(following.start(), following.anew()),
            new ChangeErrorHandler(ChangeErrorHandler.retrying(), following.failed()));
    factory.getContainerProperties().setGroupId(following.group());
    factory.getContainerProperties().setStopImmediate(true);
    ConcurrentMessageListenerContainer<byte[], byte[]> container =
        factory.createContainer(following.topic().operations());
    container.setBeanName(following.topic().operations());
    MessageListener<byte[], byte[]> decoding =
        record -> following.listener().accept(ChangeRecords.change(record, names));
    container.setupMessageListener(
        new FilteringMessageListenerAdapter<>(decoding, new FenceFilter()));
    return container;
  }

  @Override
  public void close() {
    deleted.close();
    log.close();
  }
}
