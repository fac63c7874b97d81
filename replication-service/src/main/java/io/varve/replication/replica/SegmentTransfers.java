package io.varve.replication.replica;

import io.varve.store.FileFetcher;
import io.varve.store.PeerSource;
import io.varve.store.PeerWait;
import io.varve.store.PrefetchedSource;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings and clients with which a node's replicas fetch segments; they share one budget.
 *
 * @param asking the limits of requests to other copies, for a range of a file or a lease
 * @param patience limits of the wait for another replica that is fetching the same files
 * @param together limits of files that are sent in one response
 * @param store {@code null} on a node without a segment store
 */
public record SegmentTransfers(
    FileFetcher.Settings settings,
    TransferBudget budget,
    PeerSource.Asking asking,
    PeerWait.Limits patience,
    PrefetchedSource.Limits together,
    @Nullable StoreAccess store) {

  public static final SegmentTransfers DEFAULT =
      new SegmentTransfers(
          FileFetcher.Settings.DEFAULT,
          TransferBudget.UNLIMITED,
          new PeerSource.Asking(Duration.ofSeconds(30), false),
          PeerWait.Limits.DEFAULT,
          PrefetchedSource.Limits.DEFAULT,
          null);

  /**
   * The same for reads by searches, with short timeouts, so that the next place soon replaces a
   * slow one.
   */
  SegmentTransfers forReads() {
    Duration most = Duration.ofSeconds(5);
    Duration shorter = asking.timeout().compareTo(most) < 0 ? asking.timeout() : most;
    return new SegmentTransfers(
        settings, budget, new PeerSource.Asking(shorter, false), patience, together, store);
  }

  Duration timeout() {
    return asking.timeout();
  }
}
