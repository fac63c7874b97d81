package io.varve.shard.retention;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.RetentionLease;
import io.varve.events.FollowerLease;
import io.varve.events.ManifestRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.NodeContext;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ShardLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The active leases of followers in other clusters. They are recorded in the cluster state. The
 * lease of a follower of an older release is not recorded there: the follower wrote it to the topic
 * of the shard's manifests. Each request continues reading that topic from where the previous one
 * ended. Thread-safe.
 */
public final class FollowerLeases {

  /**
   * The number of records read to find an operation; the search fails only if all of them are
   * fences.
   */
  private static final long FEW_RECORDS = 64;

  private record Held(long fromOffset, long renewedMillis) {}

  private final NodeContext node;
  private final Map<ShardId, Shard> shards = new ConcurrentHashMap<>();

  public FollowerLeases(NodeContext node) {
    this.node = node;
  }

  /** The leases renewed within the period of the shard's index. */
  public ShardLeases of(ShardId shard) throws LogException {
    shards.keySet().removeIf(known -> node.cluster().current().index(known.indexUuid()).isEmpty());
    return shards.computeIfAbsent(shard, Shard::new).now();
  }

  /** The leases of one shard that were read so far. */
  private final class Shard {

    private final PartitionLog manifests;
    private final PartitionLog operations;
    private final ShardId shard;
    private final Map<String, Held> byHolder = new TreeMap<>();
    private long readTo;

    Shard(ShardId shard) {
      this.shard = shard;
      this.manifests = node.log().open(node.topics().manifests(shard.indexUuid()), shard.number());
      this.operations =
          node.log().open(node.topics().operations(shard.indexUuid()), shard.number());
    }

    synchronized ShardLeases now() throws LogException {
      long end = manifests.endOffset();
      manifests.read(Math.max(readTo, manifests.startOffset()), end, this::note);
      readTo = end;
      Map<String, Held> active = new TreeMap<>();
      byHolder.forEach((holder, held) -> {
        if (node.clock().millis() - held.renewedMillis() <= periodMillis()) {
          active.put(holder, held);
        }
      });
      recorded()
          .forEach((holder, lease) -> {
            long from = lease.retainedFrom(shard.number());
            if (from >= 0) {
              active.put(holder, new Held(from, lease.renewedMillis()));
            } else {
              active.remove(holder);
            }
          });
      List<ShardLeases.Lease> leases = new ArrayList<>();
      for (Map.Entry<String, Held> entry : active.entrySet()) {
        Held held = entry.getValue();
        leases.add(
            new ShardLeases.Lease(
                entry.getKey(), seqNoAt(held.fromOffset()), held.renewedMillis()));
      }
      return new ShardLeases(leases);
    }

    private Map<String, RetentionLease> recorded() {
      return node.cluster()
          .current()
          .index(shard.indexUuid())
          .map(IndexMetadata::leases)
          .orElse(Map.of());
    }

    private long periodMillis() {
      return node.cluster()
          .current()
          .index(shard.indexUuid())
          .map(index -> IndexSettings.logRetention(index.settings()).leasePeriodMillis())
          .orElse(0L);
    }

    private void note(StoredRecord stored) {
      switch (ManifestLog.decode(stored)) {
        case ManifestRecord.Leased(FollowerLease lease) ->
            byHolder.put(lease.holder(), new Held(lease.fromOffset(), stored.timestampMillis()));
        case ManifestRecord.Released(String holder) -> byHolder.remove(holder);
        case ManifestRecord.Published _,
            ManifestRecord.Stored _,
            ManifestRecord.Replicated _,
            ManifestRecord.Nothing _ -> {}
      }
    }

    /**
     * The seq_no of the first operation at or after that offset; -1 if the next records contain
     * none.
     */
    private long seqNoAt(long offset) throws LogException {
      long from = Math.max(offset, operations.startOffset());
      long to = Math.max(from, Math.min(from + FEW_RECORDS, operations.endOffset()));
      long[] found = {-1};
      operations.read(
          from,
          to,
          stored -> {
            RecordHeader header = RecordHeader.read(stored.record().header());
            if (found[0] < 0 && header.kind() == RecordHeader.Kind.DATA) {
              found[0] = header.seqNo();
            }
          });
      return found[0];
    }
  }
}
