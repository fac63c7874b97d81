package io.varve.coordinator.follow;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.Topics;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the cluster log of a followed cluster from its broker. A coordinator of that cluster names
 * the broker.
 */
final class KafkaLeaderTail implements LeaderTail {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaLeaderTail.class);
  private static final Duration HISTORY_LIMIT = Duration.ofMinutes(5);

  private final MessageLog log;
  private final ClusterView view;
  private final Runnable onChange;
  private volatile boolean readToEnd;
  private volatile boolean lost;

  private KafkaLeaderTail(MessageLog log, PartitionLog clusterLog, Runnable onChange)
      throws LogException {
    this.log = log;
    this.onChange = onChange;
    this.view = new ClusterView(clusterLog, this::lost);
    long endAtStart = clusterLog.endOffset();
    view.listen(state -> onChange.run());
    view.start();
    Thread.ofVirtual().name("leader-tail").start(() -> awaitEnd(endAtStart));
  }

  private void lost(String reason) {
    LOG.warn("the cluster log of a followed cluster can be read no more: {}", reason);
    lost = true;
    onChange.run();
  }

  private void awaitEnd(long endAtStart) {
    try {
      if (view.position().await(endAtStart, HISTORY_LIMIT)) {
        readToEnd = true;
        onChange.run();
      } else {
        lost("its end was not reached within " + HISTORY_LIMIT);
      }
    } catch (InterruptedException e) {
      LOG.debug("closed before the log was read", e);
    }
  }

  static LeaderTail open(HttpClient http, FollowedCluster followed, Runnable onChange)
      throws IOException, LogException, InterruptedException {
    Place place = place(new RemoteCluster(http, followed.seeds()), followed);
    MessageLog log =
        new KafkaMessageLog(
            KafkaLogConfig.of(place.bootstrapServers(), "followed-" + followed.alias()));
    try {
      Topics topics = new Topics(place.clusterName(), 1);
      return new KafkaLeaderTail(log, log.open(topics.clusterLog(), 0), onChange);
    } catch (LogException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /** Locates the cluster log. */
  private record Place(String clusterName, String bootstrapServers) {}

  /**
   * Releases without auto-follow do not describe their cluster; for them, the export of a leader
   * index that still exists names the broker.
   */
  private static Place place(RemoteCluster remote, FollowedCluster followed)
      throws IOException, InterruptedException {
    for (String index : followed.leaderIndices()) {
      try {
        RemoteCluster.Export export = remote.export(index);
        return new Place(export.clusterName(), export.kafkaBootstrapServers());
      } catch (RemoteCluster.MissingIndexException e) {
        LOG.debug("leader index {} of [{}] is deleted", index, followed.alias(), e);
      }
    }
    RemoteCluster.Description cluster = remote.describe();
    return new Place(cluster.clusterName(), cluster.kafkaBootstrapServers());
  }

  @Override
  public Optional<ClusterState> state() {
    return readToEnd ? Optional.of(view.current()) : Optional.empty();
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  @Override
  public void close() {
    view.close();
    log.close();
  }
}
