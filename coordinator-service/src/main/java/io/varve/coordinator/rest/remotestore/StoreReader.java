package io.varve.coordinator.rest.remotestore;

import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.rpc.StoredIndex;
import java.time.Duration;
import java.util.List;

/** Reads the segment store through a node with access to it. */
public interface StoreReader {

  /**
   * Returns all stored indices; a reused name occurs several times.
   *
   * @throws io.varve.rpc.ApiException if no node has a store, or no such node answers
   */
  List<StoredIndex.Entry> indices(Duration timeout) throws InterruptedException;

  StoredIndex index(String uuid, Duration timeout) throws InterruptedException;

  /** Returns the newest stored commits of a shard, newest first. */
  List<StoredManifest> points(ShardId shard, Duration timeout) throws InterruptedException;

  /**
   * The remaining objects of deleted indices; unless it is a dry run, those that were due and are
   * now deleted.
   */
  List<Leftover> garbage(boolean dryRun, Duration timeout) throws InterruptedException;

  /**
   * The remaining objects of a deleted index.
   *
   * @param needed whether another index was restored from parts of it
   * @param dueInMillis the time until it may be deleted; 0 if it may be deleted now
   */
  record Leftover(String indexUuid, int objects, long bytes, boolean needed, long dueInMillis) {}
}
