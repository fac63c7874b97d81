package io.varve.replication.replica;

import io.varve.cluster.RemoteAccess;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.host.CopyContext;
import io.varve.store.CopyPlan;
import io.varve.store.PeerSource;
import io.varve.store.PeerWait;
import io.varve.store.PrefetchedSource;
import io.varve.store.SegmentSource;
import io.varve.store.SourceGoneException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a manifest's files from another node's copy: small files in one response, the rest by
 * ranges under a lease. Files received for a round that yielded to a newer manifest are not
 * requested again. Used by one thread at a time.
 */
final class PeerTransfer {

  private static final long POLL_MILLIS = 1_000;
  private static final long LEAST_ANSWER_MILLIS = 2_000;

  private final CopyContext context;
  private final SegmentTransfers transfers;
  private final String holder;
  private final RemoteAccess access;
  private Map<SegmentFile, byte[]> prefetched = Map.of();

  /**
   * @param holder the name under which leases are taken
   */
  PeerTransfer(CopyContext context, SegmentTransfers transfers, String holder) {
    this(context, transfers, holder, RemoteAccess.plain(context.node().http()));
  }

  /**
   * @param access how the nodes are called
   */
  PeerTransfer(
      CopyContext context, SegmentTransfers transfers, String holder, RemoteAccess access) {
    this.context = context;
    this.transfers = transfers;
    this.holder = holder;
    this.access = access;
  }

  /** Releases the files received in one response. */
  void forget() {
    prefetched = Map.of();
  }

  /**
   * Reads from the node that published the manifest. No lease is taken if one response contains all
   * files. If it contains some of them, it also shows whether the node still holds the files, so
   * this call does not wait for the lease.
   *
   * @throws CopySources.UnreachableException if it did not answer
   */
  CopySources.Open publisher(
      String url, Manifest target, List<CopyPlan.Fetch> fetches, SourceMeter meter)
      throws IOException {
    List<SegmentFile> together = transfers.together().together(fetches);
    if (together.size() == fetches.size()) {
      return open(url, target, fetches, meter, null);
    }
    SnapshotLease lease =
        prefetched.keySet().containsAll(together)
            ? lease(url, target)
            : SnapshotLease.begin(context, holder, node(url), target, transfers.timeout());
    return open(url, target, fetches, meter, lease);
  }

  /**
   * Reads from another replica once it shows the manifest; {@code null} if it does not in time.
   *
   * @throws SourceGoneException if it shows a newer manifest
   * @throws CopySources.UnreachableException if it did not answer
   */
  CopySources.@Nullable Open replica(
      String url,
      Manifest target,
      List<CopyPlan.Fetch> fetches,
      SourceMeter meter,
      PeerWait.Limits limits)
      throws IOException {
    SnapshotLease lease;
    try {
      lease = await(url, target, limits);
    } catch (SourceGoneException e) {
      throw e;
    } catch (IOException e) {
      throw new CopySources.UnreachableException(url + ": " + e, e);
    }
    return lease == null ? null : open(url, target, fetches, meter, lease);
  }

  private @Nullable SnapshotLease await(String url, Manifest target, PeerWait.Limits limits)
      throws IOException {
    PeerNode node = node(url);
    PeerWait patience = new PeerWait(limits, now());
    long answerMillis = Math.max(LEAST_ANSWER_MILLIS, transfers.patience().stallMillis());
    while (true) {
      long waitMillis = Math.min(POLL_MILLIS, patience.leftMillis(now()));
      SnapshotLease.Answer answer =
          SnapshotLease.ask(
              context,
              holder,
              node,
              target,
              waitMillis,
              Duration.ofMillis(waitMillis + answerMillis));
      switch (answer) {
        case SnapshotLease.Answer.Taken(SnapshotLease lease) -> {
          return lease;
        }
        case SnapshotLease.Answer.NotYet(long missingBytes) -> {
          patience.lacks(missingBytes, now());
          if (patience.leftMillis(now()) == 0) {
            return null;
          }
        }
      }
    }
  }

  private CopySources.Open open(
      String url,
      Manifest target,
      List<CopyPlan.Fetch> fetches,
      SourceMeter meter,
      @Nullable SnapshotLease lease)
      throws IOException {
    PeerSource peer = source(url, target);
    List<SegmentFile> small = transfers.together().together(fetches);
    SegmentSource counted = meter.counting(peer);
    if (small.isEmpty()) {
      return new Opened(counted, lease);
    }
    try {
      prefetch(small, peer, meter);
      return new Opened(new PrefetchedSource(prefetched, counted), lease);
    } catch (IOException e) {
      if (lease != null) {
        lease.close();
      }
      throw e instanceof SourceGoneException
          ? e
          : new CopySources.UnreachableException(url + ": " + e, e);
    }
  }

  private void prefetch(List<SegmentFile> files, PeerSource peer, SourceMeter meter)
      throws IOException {
    List<SegmentFile> missing =
        files.stream().filter(file -> !prefetched.containsKey(file)).toList();
    if (!missing.isEmpty()) {
      Map<SegmentFile, byte[]> all = new HashMap<>(prefetched);
      all.keySet().retainAll(files);
      all.putAll(peer.together(missing));
      prefetched = all;
      meter.add(missing.stream().mapToLong(SegmentFile::lengthBytes).sum());
    }
  }

  private PeerNode node(String url) throws IOException {
    return PeerNode.of(url, access);
  }

  private PeerSource source(String url, Manifest target) throws IOException {
    PeerNode node = node(url);
    return new PeerSource(
        node.http(),
        node.url(),
        target.shard(),
        SnapshotId.of(target),
        transfers.asking().authorizedBy(node.authorization()));
  }

  private SnapshotLease lease(String url, Manifest target) throws IOException {
    try {
      return SnapshotLease.take(context, holder, node(url), target, transfers.timeout());
    } catch (SourceGoneException e) {
      throw e;
    } catch (IOException e) {
      throw new CopySources.UnreachableException(url + ": " + e, e);
    }
  }

  private long now() {
    return context.node().clock().millis();
  }

  /** The files; they remain available as long as the lease is renewed. */
  private record Opened(SegmentSource files, @Nullable SnapshotLease lease)
      implements CopySources.Open {
    @Override
    public void renew(long nowMillis) {
      if (lease != null) {
        lease.renew(nowMillis);
      }
    }

    @Override
    public void close() {
      if (lease != null) {
        lease.close();
      }
    }
  }
}
