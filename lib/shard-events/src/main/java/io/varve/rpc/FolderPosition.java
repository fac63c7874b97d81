package io.varve.rpc;

import org.jspecify.annotations.Nullable;

/**
 * How far the copy of a shard in the folder of a node is.
 *
 * @param held whether there is anything in the folder
 * @param nextSeqNo it holds all operations before this one
 * @param fenceTerm the newest term of its operations
 * @param replayable whether the log still has all records after those that it holds
 * @param lost why the log no longer holds what the copy holds; null if it does
 */
public record FolderPosition(
    boolean held, long nextSeqNo, long fenceTerm, boolean replayable, @Nullable String lost) {

  /** The folder has nothing. */
  public static final FolderPosition EMPTY = new FolderPosition(false, 0, 0, false, null);
}
