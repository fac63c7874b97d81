package io.varve.changes;

import io.varve.log.LogException;
import io.varve.log.MessageLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Detects that the index of a followed topic was deleted. Kafka's consumer would wait for the topic
 * forever, and would continue in a new topic of the same name.
 *
 * <p>A topic counts as deleted immediately if its id changed. If it is missing, it counts as
 * deleted at the second check, because a broker may learn of a topic late. A container without a
 * remaining topic is stopped.
 */
final class DeletedTopics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DeletedTopics.class);

  private final Supplier<MessageLog> log;
  private final List<MessageListenerContainer> containers = new CopyOnWriteArrayList<>();
  private final List<Consumer<ChangeTopic>> listeners = new CopyOnWriteArrayList<>();
  private final Map<String, String> ids = new HashMap<>();
  private final Set<String> missing = new HashSet<>();
  private final Set<String> gone = new HashSet<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("varve-deleted-topics").factory());

  DeletedTopics(Supplier<MessageLog> log, long periodMillis) {
    this.log = log;
    var _ =
        timer.scheduleWithFixedDelay(
            this::checkSafely, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
  }

  void watch(AbstractMessageListenerContainer<?, ?> container) {
    containers.add(container);
  }

  void tell(Consumer<ChangeTopic> listener) {
    listeners.add(listener);
  }

  private void checkSafely() {
    try {
      check();
    } catch (LogException | RuntimeException e) {
      LOG.debug("the topics could not be checked", e);
    }
  }

  /** One check. */
  synchronized void check() throws LogException {
    Set<String> followed = followed();
    ids.keySet().retainAll(followed);
    missing.retainAll(followed);
    for (String topic : followed) {
      if (!gone.contains(topic) && isGone(topic)) {
        gone.add(topic);
        report(topic);
      }
    }
  }

  private Set<String> followed() {
    Set<String> topics = new HashSet<>();
    for (MessageListenerContainer container : containers) {
      if (container.isRunning()) {
        topics.addAll(topics(container));
      }
    }
    return topics;
  }

  private static List<String> topics(MessageListenerContainer container) {
    String[] topics = container.getContainerProperties().getTopics();
    return topics == null ? List.of() : Arrays.asList(topics);
  }

  private boolean isGone(String topic) throws LogException {
    try {
      String id = log.get().topicId(topic);
      missing.remove(topic);
      return !ids.computeIfAbsent(topic, _ -> id).equals(id);
    } catch (LogException.OutOfRange e) {
      return !missing.add(topic);
    }
  }

  private void report(String name) {
    LOG.warn("the index of topic [{}] was deleted: it has no further changes", name);
    ChangeTopic topic = ChangeTopic.of(name);
    for (Consumer<ChangeTopic> listener : listeners) {
      listener.accept(topic);
    }
    for (MessageListenerContainer container : new ArrayList<>(containers)) {
      if (container.isRunning() && gone.containsAll(topics(container))) {
        container.stop(() -> {});
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
