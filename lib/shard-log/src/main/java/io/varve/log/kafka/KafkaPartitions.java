package io.varve.log.kafka;

import io.varve.log.LogException;
import io.varve.log.LogPartitions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the brokers for the state of partitions. */
final class KafkaPartitions {

  private final Admin admin;
  private final long timeoutMillis;

  KafkaPartitions(Admin admin, long timeoutMillis) {
    this.admin = admin;
    this.timeoutMillis = timeoutMillis;
  }

  /** The state of the partitions of the topics whose names begin with the prefix. */
  LogPartitions of(String prefix) throws LogException {
    try {
      List<String> names =
          await(admin.listTopics().names()).stream()
              .filter(name -> name.startsWith(prefix))
              .toList();
      Map<String, KafkaFuture<TopicDescription>> topics =
          admin.describeTopics(names).topicNameValues();
      Map<ConfigResource, KafkaFuture<Config>> configs =
          admin.describeConfigs(names.stream().map(KafkaPartitions::resource).toList()).values();
      LogPartitions all = LogPartitions.NONE;
      for (String name : names) {
        all = all.and(of(topics.get(name), configs.get(resource(name))));
      }
      return all;
    } catch (ExecutionException e) {
      throw new LogException.Unavailable(
          "partitions could not be described: " + e.getCause().getMessage(), e.getCause());
    }
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private LogPartitions of(KafkaFuture<TopicDescription> topic, KafkaFuture<Config> config)
      throws ExecutionException, LogException {
    try {
      TopicDescription found = await(topic);
      int minInSync =
          Integer.parseInt(await(config).get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value());
      return found.partitions().stream()
          .map(partition -> of(partition, minInSync))
          .reduce(LogPartitions.NONE, LogPartitions::and);
    } catch (ExecutionException e) {
      // Deleted since the topics were listed.
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return LogPartitions.NONE;
      }
      throw e;
    }
  }

  private static LogPartitions of(TopicPartitionInfo partition, int minInSync) {
    boolean offline = partition.leader() == null || partition.leader().isEmpty();
    int inSync = partition.isr().size();
    return new LogPartitions(
        1,
        offline ? 1 : 0,
        inSync < partition.replicas().size() ? 1 : 0,
        inSync < minInSync ? 1 : 0);
  }

  private <T> T await(KafkaFuture<T> future) throws ExecutionException, LogException {
    try {
      return future.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new LogException.Unavailable("no answer within " + timeoutMillis + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException.Unavailable("interrupted", e);
    }
  }
}
