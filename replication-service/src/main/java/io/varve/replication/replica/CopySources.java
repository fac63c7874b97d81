package io.varve.replication.replica;

import io.varve.cluster.NodeInfo;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.SnapshotSource;
import io.varve.rpc.CopyStats;
import io.varve.store.CopyPlan;
import io.varve.store.PeerWait;
import io.varve.store.RoundFetcher;
import io.varve.store.SegmentSource;
import io.varve.store.SourceGoneException;
import io.varve.store.StoreAccess;
import io.varve.store.StoredSource;
import io.varve.store.TransferLane;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the source of a manifest's files: the first of these that has them.
 *
 * <pre>
 *   FRESHNESS   the replicas before this one ({@link PeerPlaces}), which may be fetching them,
 *               unless they are still being built; the publisher; the segment store if it has
 *               all files
 *   RECOVERY    a replica before this one that already shows them; the segment store if it has
 *               all files; then as above, but each file that the store has is read from the
 *               store, to reduce the load of the publisher
 * </pre>
 *
 * After a round failed on the store, the next one does not use it. Used by one thread at a time.
 */
final class CopySources {

  private static final Logger LOG = LoggerFactory.getLogger(CopySources.class);

  /** A source of the files, which is open while they are read. */
  interface Open extends AutoCloseable {

    SegmentSource files();

    /** Called often while files are read. */
    default void renew(long nowMillis) {}

    @Override
    default void close() {}
  }

  /** The node with the files did not answer. */
  static final class UnreachableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnreachableException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The known manifests of the shard.
   *
   * @param newest the newest manifest published
   * @param stored the newest whose files are in the segment store
   */
  record Known(Supplier<@Nullable Manifest> newest, Supplier<@Nullable StoredManifest> stored) {}

  private final CopyContext context;
  private final SegmentTransfers transfers;
  private final Known known;
  private final PeerPlaces places;
  private final PeerTransfer peers;
  private final SourceMeter fromStore = new SourceMeter();
  private final SourceMeter fromPublisher = new SourceMeter();
  private final SourceMeter fromReplicas = new SourceMeter();
  private boolean storeFailed;
  private boolean storeUsed;

  /**
   * @param places selects the other copies to ask
   */
  CopySources(CopyContext context, SegmentTransfers transfers, Known known, PeerPlaces places) {
    this(context, transfers, known, places, context.copyId());
  }

  /**
   * @param holder the name under which leases are taken
   */
  CopySources(CopyContext context, SegmentTransfers transfers, Known known, String holder) {
    this(context, transfers, known, new PeerPlaces(context), holder);
  }

  private CopySources(
      CopyContext context,
      SegmentTransfers transfers,
      Known known,
      PeerPlaces places,
      String holder) {
    this.context = context;
    this.transfers = transfers;
    this.known = known;
    this.places = places;
    this.peers = new PeerTransfer(context, transfers, holder);
  }

  /** The newest manifest whose files are all in the store, {@code null} if this node has none. */
  @Nullable Manifest storedManifest() {
    StoredManifest newest = transfers.store() == null ? null : known.stored().get();
    return newest == null ? null : newest.manifest();
  }

  /** The downloads from the segment store so far. */
  CopyStats.Downloads fromStore() {
    return fromStore.stats();
  }

  /** The bytes copied from other copies and sent to them so far. */
  CopyStats.Copied copied(
      long aheadBytes, long openingBytes, long linkedBytes, SnapshotSource.Sent sent) {
    return sent.stats(
        fromPublisher.bytes(), fromReplicas.bytes(), aheadBytes, openingBytes, linkedBytes);
  }

  /**
   * Opens a source for all files to fetch.
   *
   * @throws SourceGoneException if no source holds the files any more
   * @throws UnreachableException if no source that holds the files answered
   */
  Open open(Manifest target, List<CopyPlan.Fetch> fetches, TransferLane lane) throws IOException {
    StoredSource store = storeSource();
    boolean allStored =
        store != null
            && fetches.stream().allMatch(fetch -> store.stored().placeOf(fetch.file()) != null);
    boolean storeBeforeWaiting = allStored && lane == TransferLane.RECOVERY && !storeFailed;
    PeerWait.Limits patience =
        storeBeforeWaiting ? PeerWait.Limits.NONE : places.limits(transfers.patience());
    Open replica = fromReplicas(target, fetches, patience, lane == TransferLane.RECOVERY);
    if (replica != null) {
      return replica;
    }
    if (storeBeforeWaiting) {
      return storeOnly(store);
    }
    try {
      return lane == TransferLane.RECOVERY && !storeFailed
          ? storeFirst(store, fromPublisher(target, notIn(store, fetches)))
          : fromPublisher(target, fetches);
    } catch (SourceGoneException | UnreachableException e) {
      if (allStored) {
        return storeOnly(store);
      }
      throw e;
    }
  }

  /** The places from which searches read files; they cannot wait, so the fastest place is first. */
  enum Place {
    REPLICA,
    PUBLISHER,
    STORE
  }

  /**
   * A source for the files at that place; {@code null} if it does not have them.
   *
   * @throws IOException if the place did not answer, or no longer has the files
   */
  @Nullable Open at(Place place, Manifest target, List<CopyPlan.Fetch> fetches) throws IOException {
    return switch (place) {
      case REPLICA -> fromReplicas(target, fetches, PeerWait.Limits.NONE, false);
      case PUBLISHER -> fromPublisher(target, fetches);
      case STORE -> {
        StoredSource store = storeSource();
        yield store != null && notIn(store, fetches).isEmpty() ? storeOnly(store) : null;
      }
    };
  }

  /** The result of the latest round. */
  void ended(RoundFetcher.Result result) {
    storeFailed = storeUsed && result instanceof RoundFetcher.Result.Failed;
    storeUsed = false;
    if (!(result instanceof RoundFetcher.Result.Yield)) {
      peers.forget();
    }
  }

  /**
   * Opens the first replica that has the manifest in time; {@code null} if none does.
   *
   * @param withNewOnes whether to also wait for a replica that is still being built, which may take
   *     long for a large shard
   */
  private @Nullable Open fromReplicas(
      Manifest target, List<CopyPlan.Fetch> fetches, PeerWait.Limits patience, boolean withNewOnes)
      throws IOException {
    for (PeerPlaces.Peer peer : places.before(target)) {
      PeerWait.Limits limits = peer.started() || withNewOnes ? patience : PeerWait.Limits.NONE;
      try {
        Open opened = peers.replica(peer.url(), target, fetches, fromReplicas, limits);
        if (opened != null) {
          return opened;
        }
        if (limits.limitMillis() > 0) {
          LOG.info("{} waited too long for {}", context.copyId(), peer.copyId());
          places.avoid(peer);
        }
      } catch (SourceGoneException e) {
        Manifest newest = known.newest().get();
        if (newest != null && newest.isNewerThan(target)) {
          // That copy shows the manifest or will soon, so the publisher need not be asked.
          throw e;
        }
      } catch (UnreachableException e) {
        LOG.info(
            "{} tries another source than {}: {}", context.copyId(), peer.copyId(), e.getMessage());
        places.avoid(peer);
      }
    }
    return null;
  }

  private Open fromPublisher(Manifest target, List<CopyPlan.Fetch> fetches) throws IOException {
    return peers.publisher(publisherUrl(target), target, fetches, fromPublisher);
  }

  /** A snapshot is held by the node that published it, which may no longer hold the primary. */
  private String publisherUrl(Manifest target) throws IOException {
    NodeInfo node = context.node().cluster().current().nodes().get(target.nodeId());
    if (node == null) {
      throw new UnreachableException(
          "node " + target.nodeId() + " that published the manifest is not in the cluster", null);
    }
    return node.url();
  }

  private @Nullable StoredSource storeSource() {
    StoreAccess access = transfers.store();
    StoredManifest newest = known.stored().get();
    return access == null || newest == null || newest.manifest() == null
        ? null
        : new StoredSource(access.store(), newest);
  }

  private static List<CopyPlan.Fetch> notIn(
      @Nullable StoredSource store, List<CopyPlan.Fetch> fetches) {
    return store == null
        ? fetches
        : fetches.stream().filter(fetch -> store.stored().placeOf(fetch.file()) == null).toList();
  }

  private Open storeOnly(StoredSource store) {
    storeUsed = true;
    SegmentSource counted = fromStore.counting(store);
    return () -> counted;
  }

  /** Reads each file from the store if it has the file, else from the peer. */
  private Open storeFirst(@Nullable StoredSource store, Open peer) {
    if (store == null) {
      return peer;
    }
    storeUsed = true;
    return new StoreFirst(store, fromStore.counting(store), peer);
  }

  private record StoreFirst(StoredSource store, SegmentSource counted, Open peer)
      implements Open, SegmentSource {
    @Override
    public SegmentSource files() {
      return this;
    }

    @Override
    public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
      return store.stored().placeOf(file) == null
          ? peer.files().open(file, fromByte, length)
          : counted.open(file, fromByte, length);
    }

    @Override
    public void renew(long nowMillis) {
      peer.renew(nowMillis);
    }

    @Override
    public void close() {
      peer.close();
    }
  }
}
