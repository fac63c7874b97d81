package io.varve.shard.replicated;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Feature;
import io.varve.events.ReplicatedSeqNo;
import io.varve.host.CopyContext;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes, for the followers of an index, the seq_no up to which all of its copies hold
 * everything. It is published when it has increased, at most once in {@link #PAUSE_MILLIS}. An
 * index without followers needs no such records.
 */
final class ReplicatedSeqNos {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedSeqNos.class);
  private static final long PAUSE_MILLIS = 50;
  private static final long RETRY_MILLIS = 1_000;

  private final CopyContext context;
  private final TrackerContext node;
  private final long term;
  private final OffsetWatcher replicated;
  private long published = -1;

  /**
   * @param replicated closes at the end of the primary
   */
  ReplicatedSeqNos(CopyContext context, TrackerContext node, long term, OffsetWatcher replicated) {
    this.context = context;
    this.node = node;
    this.term = term;
    this.replicated = replicated;
  }

  /** Publishes until the primary ends. */
  void start() {
    var _ =
        replicated
            .reached(published + 1)
            .thenAccept(grown -> {
              if (grown) {
                node.execute(this::publish);
              }
            });
  }

  private void publish() {
    node.after(isFollowed(node.state()) && append() ? PAUSE_MILLIS : RETRY_MILLIS, this::start);
  }

  private boolean isFollowed(ClusterState state) {
    return state.has(Feature.REPLICATED_SEQ_NOS)
        && state
            .index(context.shard().indexUuid())
            .map(IndexMetadata::leases)
            .filter(leases -> !leases.isEmpty())
            .isPresent();
  }

  private boolean append() {
    long seqNo = replicated.current();
    try {
      var _ =
          new ManifestLog(context.manifests())
              .append(new ReplicatedSeqNo(context.shard(), term, seqNo));
      published = seqNo;
      return true;
    } catch (LogException e) {
      LOG.debug("{} could not publish that seq_no {} is replicated", context.shard(), seqNo, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
