package io.varve.replication.spring;

import io.varve.replication.replica.SegmentTransfers;
import io.varve.store.FileFetcher;
import io.varve.store.PeerSource;
import io.varve.store.PeerWait;
import io.varve.store.PrefetchedSource;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import io.varve.store.TransferLane;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.replication.*}.
 *
 * @param chunkBytes the largest range of a file in one request
 * @param parallelFiles number of files that a replica fetches concurrently
 * @param freshnessBytesPerSecond the node's limit for replicas that already serve, 0 for none
 * @param recoveryBytesPerSecond the node's limit for replicas that are being built, 0 for none
 * @param timeoutMillis timeout of one complete range
 * @param hardLinks whether files of a node on the same machine and disk are hard-linked instead
 * @param compression whether other nodes may compress files with zstd
 * @param peerStallMillis time without progress after which the wait for another replica ends
 * @param peerWaitMillis the longest wait for another replica
 * @param bundleFileBytes files up to this length are sent together in one response; 0 to send each
 *     separately
 * @param bundleBytes maximum length of all files in one response
 */
@ConfigurationProperties("varve.replication")
public record TransferProperties(
    @DefaultValue("8388608") int chunkBytes,
    @DefaultValue("3") int parallelFiles,
    @DefaultValue("0") long freshnessBytesPerSecond,
    @DefaultValue("0") long recoveryBytesPerSecond,
    @DefaultValue("30000") long timeoutMillis,
    @DefaultValue("false") boolean hardLinks,
    @DefaultValue("none") Compression compression,
    @DefaultValue("2000") long peerStallMillis,
    @DefaultValue("60000") long peerWaitMillis,
    @DefaultValue("262144") long bundleFileBytes,
    @DefaultValue("4194304") long bundleBytes) {

  /** Compression of files in transfer. */
  public enum Compression {
    NONE,
    ZSTD
  }

  /** The budget is shared by all replicas of the node. */
  SegmentTransfers transfers(@Nullable StoreAccess store) {
    TransferBudget budget =
        new TransferBudget(
            Map.of(
                TransferLane.FRESHNESS, freshnessBytesPerSecond,
                TransferLane.RECOVERY, recoveryBytesPerSecond));
    return new SegmentTransfers(
        new FileFetcher.Settings(chunkBytes, parallelFiles, hardLinks),
        budget,
        new PeerSource.Asking(Duration.ofMillis(timeoutMillis), compression == Compression.ZSTD),
        new PeerWait.Limits(peerStallMillis, peerWaitMillis),
        new PrefetchedSource.Limits(bundleFileBytes, bundleBytes),
        store);
  }
}
