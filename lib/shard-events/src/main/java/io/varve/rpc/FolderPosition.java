package io.varve.rpc;

import org.jspecify.annotations.Nullable;

/**
 * The position of the copy of a shard in the folder of a node.
 *
 * @param held whether the folder holds a copy
 * @param nextSeqNo it holds all operations before this one
 * @param fenceTerm the newest term of its operations
 * @param replayable whether the log still has all records after those that it holds
 * @param lost why the log no longer holds the operations of the copy; null if it does
 */
public record FolderPosition(
    boolean held, long nextSeqNo, long fenceTerm, boolean replayable, @Nullable String lost) {

  /** The folder is empty. */
  public static final FolderPosition EMPTY = new FolderPosition(false, 0, 0, false, null);
}
