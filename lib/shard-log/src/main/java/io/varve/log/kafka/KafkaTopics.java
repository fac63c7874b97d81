package io.varve.log.kafka;

import io.varve.log.LogException;
import io.varve.log.TopicSpec;
import io.varve.process.Deadline;
import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates, deletes, lists and truncates topics. */
final class KafkaTopics {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaTopics.class);

  private final Admin admin;
  private final long timeoutMillis;
  private final int maxRecordBytes;
  private final Ticker clock;
  private final Sleeper sleeper;

  KafkaTopics(KafkaLogConfig config, Admin admin, Ticker clock, Sleeper sleeper) {
    this.timeoutMillis = config.readTimeoutMillis();
    this.maxRecordBytes = config.maxRecordBytes();
    this.admin = admin;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  void create(List<TopicSpec> topics) throws LogException {
    Map<String, KafkaFuture<Void>> created =
        admin.createTopics(topics.stream().map(this::described).toList()).values();
    for (Map.Entry<String, KafkaFuture<Void>> topic : created.entrySet()) {
      try {
        await(topic.getValue());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw unavailable("topic " + topic.getKey() + " could not be created", e);
        }
      }
    }
    awaitLeaders(topics);
  }

  private NewTopic described(TopicSpec topic) {
    Optional<Short> copies =
        topic.replicationFactor() == 0
            ? Optional.empty()
            : Optional.of((short) topic.replicationFactor());
    Map<String, String> settings = new HashMap<>();
    // The topic must accept every record that this log accepts, whatever the broker's default is.
    settings.put(
        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
        Integer.toString(maxRecordBytes + KafkaLogConfig.BATCH_OVERHEAD_BYTES));
    settings.putAll(topic.settings());
    return new NewTopic(topic.name(), Optional.of(topic.partitions()), copies).configs(settings);
  }

  private void awaitLeaders(List<TopicSpec> topics) throws LogException {
    // Kafka sends no notification when a new topic has leaders, so this polls.
    Pauses pauses = new Pauses(sleeper);
    List<TopicSpec> leaderless = topics;
    Deadline deadline = Deadline.in(Duration.ofMillis(timeoutMillis), clock);
    while (!deadline.isOver()) {
      leaderless = leaderless(leaderless);
      if (leaderless.isEmpty()) {
        return;
      }
      pauses.pause();
    }
    throw new LogException.Unavailable(
        "topics "
            + leaderless.stream().map(TopicSpec::name).toList()
            + " have no leaders after "
            + timeoutMillis
            + " ms");
  }

  /** The topics that are not writable yet. */
  private List<TopicSpec> leaderless(List<TopicSpec> topics) throws LogException {
    Map<String, KafkaFuture<TopicDescription>> answers =
        ask(topics.stream().map(TopicSpec::name).toList());
    List<TopicSpec> leaderless = new ArrayList<>();
    for (TopicSpec topic : topics) {
      Optional<TopicDescription> found = found(topic.name(), answers.get(topic.name()));
      if (found.isEmpty() || !hasLeaders(topic, found.get())) {
        leaderless.add(topic);
      } else {
        warnOfFewer(topic, found.get());
      }
    }
    return leaderless;
  }

  private static boolean hasLeaders(TopicSpec topic, TopicDescription found)
      throws LogException.Unavailable {
    if (found.partitions().size() != topic.partitions()) {
      throw new LogException.Unavailable(
          "topic "
              + topic.name()
              + " exists with "
              + found.partitions().size()
              + " partitions, not "
              + topic.partitions());
    }
    return found.partitions().stream().allMatch(p -> p.leader() != null && !p.leader().isEmpty());
  }

  /** The topic may have been created by another node with fewer replicas. */
  private static void warnOfFewer(TopicSpec wanted, TopicDescription found) {
    int replicas = found.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
    if (replicas < wanted.replicationFactor()) {
      LOG.warn(
          "topic {} has {} replicas instead of {}: acknowledged writes are less durable than"
              + " configured",
          wanted.name(),
          replicas,
          wanted.replicationFactor());
    }
  }

  private Optional<TopicDescription> found(String topic, KafkaFuture<TopicDescription> answer)
      throws LogException {
    try {
      return Optional.of(await(answer));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw unavailable("topic " + topic + " could not be described", e);
    }
  }

  String id(String topic) throws LogException {
    return found(topic, ask(List.of(topic)).get(topic))
        .map(d -> d.topicId().toString())
        .orElseThrow(() -> new LogException.OutOfRange("there is no topic " + topic));
  }

  /** Requests descriptions of the topics without waiting for the answers. */
  Map<String, KafkaFuture<TopicDescription>> ask(Collection<String> names) {
    return admin.describeTopics(names).topicNameValues();
  }

  Set<String> names() throws LogException {
    try {
      return await(admin.listTopics().names());
    } catch (ExecutionException e) {
      throw unavailable("topics could not be listed", e);
    }
  }

  void delete(List<String> topics) throws LogException {
    for (KafkaFuture<Void> deleted : admin.deleteTopics(topics).topicNameValues().values()) {
      try {
        await(deleted);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw unavailable("topics " + topics + " could not be deleted", e);
        }
      }
    }
  }

  void truncate(TopicPartition partition, long before) throws LogException {
    try {
      await(admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(before))).all());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof OffsetOutOfRangeException) {
        throw new LogException.OutOfRange(partition + " can't be truncated before " + before);
      }
      throw unavailable(partition + " could not be truncated", e);
    }
  }

  private <T> T await(KafkaFuture<T> future) throws ExecutionException, LogException.Unavailable {
    try {
      return future.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new LogException.Unavailable("no answer within " + timeoutMillis + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException.Unavailable("interrupted", e);
    }
  }

  private static LogException.Unavailable unavailable(String what, ExecutionException failure) {
    return new LogException.Unavailable(
        what + ": " + failure.getCause().getMessage(), failure.getCause());
  }
}
