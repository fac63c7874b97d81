package io.varve.coordinator.rest;

import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The documents of {@link FakeShards}, with versions and seq_nos. All shards share their seq_nos.
 */
final class FakeDocuments {

  private final Map<ShardId, Map<String, GetResult>> shards = new ConcurrentHashMap<>();
  private final AtomicLong seqNo = new AtomicLong(-1);

  /** The seq_no of the last write; -1 before it. */
  long maxSeqNo() {
    return seqNo.get();
  }

  int count() {
    return shards.values().stream().mapToInt(Map::size).sum();
  }

  Collection<GetResult> of(ShardId shard) {
    return shard(shard).values();
  }

  GetResult get(ShardId shard, String id) {
    return shard(shard).getOrDefault(id, GetResult.missing(id));
  }

  private Map<String, GetResult> shard(ShardId shard) {
    return shards.computeIfAbsent(shard, _ -> new ConcurrentHashMap<>());
  }

  WriteResult write(ShardId id, WriteItem item, long term) {
    Map<String, GetResult> shard = shard(id);
    GetResult old = shard.get(item.id());
    boolean conditional = item.ifSeqNo() != WriteItem.UNASSIGNED;
    if (old == null && conditional && item.kind() == WriteItem.Kind.UPDATE) {
      return new WriteResult.Failed(
          ErrorBody.of(404, "document_missing_exception", "document missing"));
    }
    boolean changed = conditional && (old == null || old.seqNo() != item.ifSeqNo());
    if (changed || (item.version() == 1 && old != null)) {
      return new WriteResult.Failed(
          ErrorBody.of(409, "version_conflict_engine_exception", "version conflict"));
    }
    boolean delete = item.kind() == WriteItem.Kind.DELETE;
    long version = old == null ? 1 : old.version() + 1;
    long next = seqNo.incrementAndGet();
    if (delete) {
      shard.remove(item.id());
    } else {
      byte[] source = item.bodyBytes();
      shard.put(
          item.id(), new GetResult(true, item.id(), item.routing(), version, next, term, source));
    }
    String word =
        delete ? (old == null ? "not_found" : "deleted") : old == null ? "created" : "updated";
    return new WriteResult.Done(word, next, term, version);
  }

  /** Changes a document, or deletes it if {@code change} returns null. */
  void change(String id, UnaryOperator<@Nullable GetResult> change) {
    shards.values().forEach(shard -> shard.computeIfPresent(id, (_, old) -> change.apply(old)));
  }
}
