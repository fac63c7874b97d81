package io.varve.engine;

import io.varve.codec.SegmentCodecs;
import io.varve.events.Manifest;
import io.varve.events.ReaderVersion;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.util.Version;

/**
 * Decides whether this process can read the segments of a manifest.
 *
 * <p>Rule: it can if its version is at least {@code min_reader_version}, which is the version of
 * the process that published the manifest, and it has all codecs of the segments. The version of
 * the publisher counts even if every segment was written by an older one: the publisher also wrote
 * the segment infos, the deletions and the updates of doc values. A manifest without the field is
 * of a cluster below the feature level that introduced it.
 */
public final class ReadableSegments {

  private static final ReaderVersion OWN =
      new ReaderVersion(Version.LATEST.major, Version.LATEST.minor, SegmentCodecs.newestFormat());

  private ReadableSegments() {}

  /** The version of this process: the newest format that it reads, and the one that it writes. */
  public static ReaderVersion ownVersion() {
    return OWN;
  }

  /** The reason why this process can't read the segments; empty if it can. */
  static Optional<String> obstacle(Manifest manifest) {
    ReaderVersion oldest = manifest.minReaderVersion();
    if (oldest != null && !OWN.reads(oldest)) {
      return Optional.of(
          "its segments need a node with the reader version [%s] or newer, this node has [%s]"
              .formatted(oldest, OWN));
    }
    List<String> codecs =
        SegmentCodecs.unreadable(manifest.commitData().getOrDefault(Snapshot.CODECS, ""));
    return codecs.isEmpty()
        ? Optional.empty()
        : Optional.of("it has segments of codecs that this node can't read: " + codecs);
  }

  /**
   * @throws UnreadableSegmentsException with the reason if this process can't read the segments
   */
  static void require(ShardId shard, Manifest manifest) {
    obstacle(manifest)
        .ifPresent(reason -> {
          throw new UnreadableSegmentsException(
              "generation %d of term %d of %s can't be read here: %s"
                  .formatted(manifest.generation(), manifest.term(), shard, reason));
        });
  }
}
