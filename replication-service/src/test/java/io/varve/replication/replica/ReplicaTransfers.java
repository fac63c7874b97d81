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

/**
 * The way in which copies that are opened from now on fetch segments; each method changes one
 * aspect.
 */
final class ReplicaTransfers {

  /** Longer than any test delays a response, or the machine delays a thread. */
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

  /** Gives all nodes that store. */
  void give(StoreAccess store) {
    now =
        new SegmentTransfers(
            now.settings(), now.budget(), now.asking(), now.patience(), now.together(), store);
  }

  /** Lets peers compress files that compress well. */
  void compress() {
    PeerSource.Asking asking = new PeerSource.Asking(now.timeout(), true);
    now =
        new SegmentTransfers(
            now.settings(), now.budget(), asking, now.patience(), now.together(), now.store());
  }

  /**
   * Lets copies link files from each other's folders, regardless of how long it takes to learn the
   * folder.
   */
  void linkFiles() {
    waitForPeers();
    FileFetcher.Settings settings = new FileFetcher.Settings(1 << 20, 3, true);
    now =
        new SegmentTransfers(
            settings, now.budget(), now.asking(), now.patience(), now.together(), now.store());
  }

  /** Gives copies a separate, shared budget without a limit. */
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

  /**
   * Blocks all file transfers until {@link #release}; blocks that searches read are not affected.
   */
  void hold() {
    takeOwnBudget();
    HELD.forEach(lane -> now.budget().limit(lane, 1));
  }

  /** Resumes transfers, including those of copies that are already open. */
  void release() {
    HELD.forEach(lane -> now.budget().limit(lane, 0));
  }

  /** Replicas wait for each other without a limit, however slow the machine is. */
  void waitForPeers() {
    PeerWait.Limits patience = new PeerWait.Limits(60_000, 60_000);
    now =
        new SegmentTransfers(
            now.settings(), now.budget(), now.asking(), patience, now.together(), now.store());
  }

  /** Each file is requested separately. */
  void askForEachFileAlone() {
    PrefetchedSource.Limits together = PrefetchedSource.Limits.NONE;
    now =
        new SegmentTransfers(
            now.settings(), now.budget(), now.asking(), now.patience(), together, now.store());
  }
}
