package io.varve.engine;

import io.varve.events.ShardId;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Configuration of a copy.
 *
 * @param directory the folder of the copy's segment files; created if it does not exist
 * @param term the primary term under which the copy writes, 0 for a replica. Each term has its own
 *     range of segment names, so files of different terms never share a name.
 * @param bufferMegabytes memory of buffered documents that triggers a flush to a segment
 * @param settings the index's settings under their full names
 */
public record EngineConfig(
    ShardId shard, Path directory, long term, int bufferMegabytes, Map<String, String> settings) {

  public static final int DEFAULT_BUFFER_MEGABYTES = 64;

  public EngineConfig {
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(directory, "directory");
    settings = Map.copyOf(settings);
    if (term < 0) {
      throw new IllegalArgumentException("term must be >= 0, was " + term);
    }
    if (bufferMegabytes < 1 || bufferMegabytes > 1024) {
      throw new IllegalArgumentException(
          "indexing buffer must be 1 to 1024 MB, was " + bufferMegabytes);
    }
  }

  public EngineConfig(ShardId shard, Path directory, long term, Map<String, String> settings) {
    this(shard, directory, term, DEFAULT_BUFFER_MEGABYTES, settings);
  }
}
