package io.varve.ccr;

import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The manifests and files of a leader's shard, which a follower can copy instead of replaying the
 * log.
 */
interface LeaderSegments {

  /** For a leader that does not disclose its manifests. */
  LeaderSegments NONE =
      new LeaderSegments() {
        @Override
        public ManifestLog.Newest newest() {
          return new ManifestLog.Newest(null, null);
        }

        @Override
        public Optional<String> url(String nodeId) {
          return Optional.empty();
        }

        @Override
        public long mappingVersion() {
          return 0;
        }
      };

  /** The newest manifest, and the newest whose files are in the leader's segment store. */
  ManifestLog.Newest newest() throws LogException;

  /** The URL of a node of the leader's cluster; empty if the node is not in the cluster. */
  Optional<String> url(String nodeId) throws IOException, InterruptedException;

  /** The current version of the leader's mapping, which has the fields of all its segments. */
  long mappingVersion() throws IOException, InterruptedException;

  /**
   * The segments of a shard whose manifests are in that partition.
   *
   * @param manifests null if the leader does not disclose the topic
   */
  static LeaderSegments of(@Nullable PartitionLog manifests, LeaderNodes nodes) {
    if (manifests == null) {
      return NONE;
    }
    return new LeaderSegments() {
      @Override
      public ManifestLog.Newest newest() throws LogException {
        return new ManifestLog(manifests).before(manifests.endOffset(), true);
      }

      @Override
      public Optional<String> url(String nodeId) throws IOException, InterruptedException {
        return nodes.url(nodeId);
      }

      @Override
      public long mappingVersion() throws IOException, InterruptedException {
        return nodes.mappingVersion();
      }
    };
  }

  /** The requests to the leader's cluster that are needed to copy its segments. */
  interface LeaderNodes {

    Optional<String> url(String nodeId) throws IOException, InterruptedException;

    long mappingVersion() throws IOException, InterruptedException;
  }
}
