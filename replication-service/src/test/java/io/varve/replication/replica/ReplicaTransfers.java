package io.varve.replication.replica;

import io.varve.store.FileFetcher;
import io.varve.store.PeerSource;
import io.varve.store.PeerWait;
import io.varve.store.PrefetchedSource;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import io.varve.store.TransferLane;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How copies that are opened from here on fetch segments; each method changes one part of it. */
final class ReplicaTransfers {

  /** Longer than any test holds an answer back, or the machine a thread. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final List<TransferLane> HELD =
      List.of(TransferLane.RECOVERY, TransferLane.FRESHNESS);

  private SegmentTransfers now =
      new SegmentTransfers(
          SegmentTransfers.DEFAULT.settings(),
          SegmentTransfers.DEFAULT.budget(),
          new PeerSource.Asking(PATIENCE, false),
          SegmentTransfers.DEFAULT.patience(),
          SegmentTransfers.DEFAULT.together(),
          null);

  SegmentTransfers now() {
    return now;
  }

  /** All nodes have that store. */
  void give(StoreAccess store) {
    now =
        new SegmentTransfers(
            now.settings(), now.budget(), now.asking(), now.patience(), now.together(), store);
  }

  /** Peers may compress what gains from it. */
  void compress() {
    PeerSource.Asking asking = new PeerSource.Asking(now.timeout(), true);
    now =
        new SegmentTransfers(
            now.settings(), now.budget(), asking, now.patience(), now.together(), now.store());
  }

  /** Copies take files from each other's folders, however long it takes to be told of them. */
  void linkFiles() {
    waitForPeers();
    FileFetcher.Settings settings = new FileFetcher.Settings(1 << 20, 3, true);
    now =
        new SegmentTransfers(
            settings, now.budget(), now.asking(), now.patience(), now.together(), now.store());
  }

  /** Copies share a budget of their own, which has no limit yet. */
  void takeOwnBudget() {
    now =
        new SegmentTransfers(
            now.settings(),
            new TransferBudget(Map.of()),
            now.asking(),
            now.patience(),
            now.together(),
            now.store());
  }

  /** No file is transferred until {@link #release}; blocks read for searches are not held. */
  void hold() {
    takeOwnBudget();
    HELD.forEach(lane -> now.budget().limit(lane, 1));
  }

  /** Transfers go on, those of copies that are open too. */
  void release() {
    HELD.forEach(lane -> now.budget().limit(lane, 0));
  }

  /** Replicas wait for each other as long as it takes, however slow the machine is. */
  void waitForPeers() {
    PeerWait.Limits patience = new PeerWait.Limits(60_000, 60_000);
    now =
        new SegmentTransfers(
            now.settings(), now.budget(), now.asking(), patience, now.together(), now.store());
  }

  /** Each file is asked for alone. */
  void askForEachFileAlone() {
    PrefetchedSource.Limits together = PrefetchedSource.Limits.NONE;
    now =
        new SegmentTransfers(
            now.settings(), now.budget(), now.asking(), now.patience(), together, now.store());
  }
}
