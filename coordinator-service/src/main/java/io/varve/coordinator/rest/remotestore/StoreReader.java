package io.varve.coordinator.rest.remotestore;

import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.rpc.StoredIndex;
import java.time.Duration;
import java.util.List;

/** Reads the segment store through a node that reaches it. */
public interface StoreReader {

  /**
   * All indices of which there is something, the same name several times if it was used so.
   *
   * @throws io.varve.rpc.ApiException no node has a store, or none could be asked
   */
  List<StoredIndex.Entry> indices(Duration timeout) throws InterruptedException;

  StoredIndex index(String uuid, Duration timeout) throws InterruptedException;

  /** The newest points in time of a shard that the store holds, the newest first. */
  List<StoredManifest> points(ShardId shard, Duration timeout) throws InterruptedException;

  /**
   * What is left of deleted indices; or, if it is not to be only looked at, what was due of it and
   * is deleted now.
   */
  List<Leftover> garbage(boolean dryRun, Duration timeout) throws InterruptedException;

  /**
   * What is left of a deleted index.
   *
   * @param needed whether another index begins with some of it
   * @param dueInMillis 0 when it may go
   */
  record Leftover(String indexUuid, int objects, long bytes, boolean needed, long dueInMillis) {}
}
