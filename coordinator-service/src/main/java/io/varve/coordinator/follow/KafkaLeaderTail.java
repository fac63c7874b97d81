package io.varve.coordinator.follow;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.SkippedEvents;
import io.varve.cluster.Topics;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.process.Sleeper;
import io.varve.rpc.LeaseRenewal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the cluster log of a followed cluster from its broker. A coordinator of that cluster names
 * the broker. The tail ends when the certificates or credentials for that cluster change, because
 * its clients have the former ones.
 */
final class KafkaLeaderTail implements LeaderTail {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaLeaderTail.class);
  private static final Duration HISTORY_LIMIT = Duration.ofMinutes(5);
  private static final Duration FILES_CHECKED_EACH = Duration.ofSeconds(5);

  private final RemoteCluster remote;
  private final Set<LeaseRenewal.Release> releasing = ConcurrentHashMap.newKeySet();
  private final MessageLog log;
  private final SkippedEvents skipped = new SkippedEvents();
  private final ClusterView view;
  private final Runnable onChange;
  private final BooleanSupplier upToDate;
  private final Sleeper sleeper;
  private final Thread watch;
  private volatile boolean readToEnd;
  private volatile boolean lost;

  /**
   * The clients of a tail.
   *
   * @param upToDate whether certificates and credentials still are those that the clients use
   * @param sleeper for the pauses between two checks of that
   */
  private record Connected(
      RemoteCluster remote, MessageLog log, BooleanSupplier upToDate, Sleeper sleeper) {}

  private KafkaLeaderTail(Connected connected, PartitionLog clusterLog, Runnable onChange)
      throws LogException {
    this.remote = connected.remote();
    this.log = connected.log();
    this.upToDate = connected.upToDate();
    this.sleeper = connected.sleeper();
    this.onChange = onChange;
    this.view = ClusterView.ofOtherCluster(clusterLog, skipped, this::lost);
    long endAtStart = clusterLog.endOffset();
    view.listen(state -> onChange.run());
    view.start();
    this.watch = Thread.ofVirtual().name("leader-tail").start(() -> watch(endAtStart));
  }

  private void lost(String reason) {
    LOG.warn("the cluster log of a followed cluster can no longer be read: {}", reason);
    lost = true;
    onChange.run();
  }

  private void watch(long endAtStart) {
    try {
      if (!view.position().await(endAtStart, HISTORY_LIMIT)) {
        lost("its end was not reached within " + HISTORY_LIMIT);
        return;
      }
      readToEnd = true;
      onChange.run();
      while (upToDate.getAsBoolean()) {
        sleeper.sleep(FILES_CHECKED_EACH.toNanos());
        if (Thread.interrupted()) {
          LOG.debug("closed");
          return;
        }
      }
      lost("its certificates or credentials have changed");
    } catch (InterruptedException e) {
      LOG.debug("closed", e);
    }
  }

  static LeaderTail open(RemoteFiles files, FollowedCluster followed, Runnable onChange)
      throws IOException, LogException, InterruptedException {
    List<String> contents = files.contents(followed.remote());
    RemoteCluster remote = files.cluster(followed.remote());
    Place place = place(remote, followed);
    files.requireBrokers(place.bootstrapServers());
    RemoteFiles.Kafka kafka = files.kafka(followed.remote());
    MessageLog log =
        new KafkaMessageLog(
            KafkaLogConfig.of(place.bootstrapServers(), "followed-" + followed.alias())
                .withSecurity(new KafkaLogConfig.Security(kafka.properties(), kafka.stores())));
    try {
      Topics topics = new Topics(place.clusterName(), 1);
      return new KafkaLeaderTail(
          new Connected(
              remote,
              log,
              () -> files.contents(followed.remote()).equals(contents),
              Sleeper.SYSTEM),
          log.open(topics.clusterLog(), 0),
          onChange);
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
  public Optional<String> unreadable() {
    return skipped.unreadableLog();
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
    watch.interrupt();
    view.close();
    log.close();
  }
}
