package io.varve.log.kafka;

import io.varve.process.Ticker;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that a followed topic was deleted, or deleted and re-created: a consumer would continue
 * at its offset in the new topic, which is a different history.
 *
 * <p>Sends a request every few seconds and never waits; an answer is examined once it has arrived.
 * A topic with a different id is reported as gone immediately. An unknown topic is reported at the
 * second answer, because a broker may receive the metadata of a new topic late. A topic that was
 * never seen is not reported, because it may still be created. For one thread.
 */
final class TopicIdentities {

  private static final Logger LOG = LoggerFactory.getLogger(TopicIdentities.class);
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long PERIOD_OF_NEW_ONES_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Represents the id of a topic that does not exist. */
  private static final Uuid NONE = Uuid.ZERO_UUID;

  private final Function<Set<String>, Map<String, KafkaFuture<TopicDescription>>> descriptions;
  private final Ticker clock;
  private final Map<String, Uuid> known = new HashMap<>();
  private final Set<String> missing = new HashSet<>();
  private Map<String, KafkaFuture<TopicDescription>> asked = Map.of();
  private long askedNanos;

  /**
   * @param descriptions requests descriptions of topics without waiting for the answers
   */
  TopicIdentities(
      Function<Set<String>, Map<String, KafkaFuture<TopicDescription>>> descriptions,
      Ticker clock) {
    this.descriptions = descriptions;
    this.clock = clock;
    this.askedNanos = clock.nanos() - PERIOD_NANOS;
  }

  /** The followed topics found to be gone. */
  Set<String> gone(Collection<String> followed) {
    known.keySet().retainAll(followed);
    missing.retainAll(followed);
    Set<String> gone = new HashSet<>();
    if (asked.values().stream().allMatch(KafkaFuture::isDone)) {
      asked.forEach((topic, answer) -> {
        if (followed.contains(topic) && isGone(topic, answer)) {
          gone.add(topic);
        }
      });
      asked = Map.of();
      ask(followed);
    }
    return gone;
  }

  private void ask(Collection<String> followed) {
    long periodNanos =
        known.keySet().containsAll(followed) ? PERIOD_NANOS : PERIOD_OF_NEW_ONES_NANOS;
    long nowNanos = clock.nanos();
    if (nowNanos - askedNanos >= periodNanos) {
      askedNanos = nowNanos;
      asked = descriptions.apply(Set.copyOf(followed));
    }
  }

  private boolean isGone(String topic, KafkaFuture<TopicDescription> answer) {
    Uuid id = id(answer);
    Uuid before = known.get(topic);
    if (id == null || (before == null && id.equals(NONE))) {
      return false;
    }
    if (id.equals(NONE)) {
      return !missing.add(topic);
    }
    missing.remove(topic);
    known.putIfAbsent(topic, id);
    return before != null && !before.equals(id);
  }

  /** {@code null} when there was no answer. */
  private static @Nullable Uuid id(KafkaFuture<TopicDescription> done) {
    try {
      return done.get().topicId();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return NONE;
      }
      LOG.debug("a topic's id could not be determined", e);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
