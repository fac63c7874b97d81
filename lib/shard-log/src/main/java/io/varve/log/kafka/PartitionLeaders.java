package io.varve.log.kafka;

import io.varve.log.LogException;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leaders of partitions, from the descriptions of their topics. A leader is known for some
 * time; a partition without one is looked up each time.
 */
final class PartitionLeaders implements OffsetTurns.Leaders {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionLeaders.class);

  static final Duration KNOWN_FOR = Duration.ofSeconds(30);

  /** Bounds the memory for topics that were deleted. */
  private static final int MAX_KNOWN = 10_000;

  private record Known(int leader, long sinceNanos) {}

  private final Function<Set<String>, Map<String, KafkaFuture<TopicDescription>>> descriptions;
  private final Duration timeout;
  private final Ticker clock;
  private final Map<TopicPartition, Known> known = new ConcurrentHashMap<>();

  /**
   * @param descriptions requests descriptions of topics without waiting for the answers
   * @param timeout of the wait for an answer; without one, the leader is not known
   */
  PartitionLeaders(
      Function<Set<String>, Map<String, KafkaFuture<TopicDescription>>> descriptions,
      Duration timeout,
      Ticker clock) {
    this.descriptions = descriptions;
    this.timeout = timeout;
    this.clock = clock;
  }

  @Override
  public int of(TopicPartition partition) throws LogException.Unavailable {
    Known last = known.get(partition);
    return last != null && clock.nanos() - last.sinceNanos() < KNOWN_FOR.toNanos()
        ? last.leader()
        : lookUp(partition);
  }

  @Override
  public void forget(TopicPartition partition) {
    known.remove(partition);
  }

  /** Returns what was found, which another thread may have forgotten again already. */
  private int lookUp(TopicPartition partition) throws LogException.Unavailable {
    String topic = partition.topic();
    long nowNanos = clock.nanos();
    Map<TopicPartition, Known> found = new HashMap<>();
    try {
      TopicDescription description =
          descriptions.apply(Set.of(topic)).get(topic).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      for (TopicPartitionInfo info : description.partitions()) {
        Node leader = info.leader();
        if (leader != null && !leader.isEmpty()) {
          found.put(new TopicPartition(topic, info.partition()), new Known(leader.id(), nowNanos));
        }
      }
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("the leaders of {} are not known", topic, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException.Unavailable("interrupted while looking up a leader", e);
    }
    if (known.size() >= MAX_KNOWN) {
      known.clear();
    }
    known.putAll(found);
    Known now = found.get(partition);
    if (now == null) {
      known.remove(partition);
      return NONE;
    }
    return now.leader();
  }
}
