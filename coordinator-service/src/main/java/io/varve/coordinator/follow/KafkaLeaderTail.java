package io.varve.coordinator.follow;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.SkippedEvents;
import io.varve.cluster.Topics;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.rpc.LeaseRenewal;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the cluster log of a followed cluster from its broker. A coordinator of that cluster names
 * the broker.
 */
final class KafkaLeaderTail implements LeaderTail {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaLeaderTail.class);
  private static final Duration HISTORY_LIMIT = Duration.ofMinutes(5);

  private final RemoteCluster remote;
  private final Set<LeaseRenewal.Release> releasing = ConcurrentHashMap.newKeySet();
  private final MessageLog log;
  private final SkippedEvents skipped = new SkippedEvents();
  private final ClusterView view;
  private final Runnable onChange;
  private volatile boolean readToEnd;
  private volatile boolean lost;

  private KafkaLeaderTail(
      RemoteCluster remote, MessageLog log, PartitionLog clusterLog, Runnable onChange)
      throws LogException {
    this.remote = remote;
    this.log = log;
    this.onChange = onChange;
    this.view = ClusterView.ofOtherCluster(clusterLog, skipped, this::lost);
    long endAtStart = clusterLog.endOffset();
    view.listen(state -> onChange.run());
    view.start();
    Thread.ofVirtual().name("leader-tail").start(() -> awaitEnd(endAtStart));
  }

  private void lost(String reason) {
    LOG.warn("the cluster log of a followed cluster can no longer be read: {}", reason);
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
    RemoteCluster remote = new RemoteCluster(http, followed.seeds());
    Place place = place(remote, followed);
    MessageLog log =
        new KafkaMessageLog(
            KafkaLogConfig.of(place.bootstrapServers(), "followed-" + followed.alias()));
    try {
      Topics topics = new Topics(place.clusterName(), 1);
      return new KafkaLeaderTail(remote, log, log.open(topics.clusterLog(), 0), onChange);
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
  public Map<String, String> skipped() {
    return skipped.reasons();
  }

  @Override
  public void release(LeaseRenewal.Release release) {
    if (!releasing.add(release)) {
      return;
    }
    Thread.ofVirtual()
        .name("lease-release")
        .start(() -> {
          try {
            remote.release(release);
          } catch (IOException e) {
            LOG.warn("the lease of {} is not released yet: {}", release.holder(), e.toString());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } finally {
            releasing.remove(release);
          }
        });
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
