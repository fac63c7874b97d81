package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The folder of one copy. It survives its process. */
final class SimDisk {

  /**
   * The content that a restart finds: files, and the position in the log that they certainly
   * include.
   *
   * @param data the user data of production's commits, if it says where the content of a follower
   *     is in the log of its leader
   */
  record Commit(AppliedPosition checkpoint, List<String> files, Map<String, String> data) {}

  final Map<String, Segment> files = new LinkedHashMap<>();
  final SimPins pinned = new SimPins();
  @Nullable Commit commit;

  /** The manifest that a segment replica installed last. */
  private @Nullable Manifest installed;

  /** A replica switched to this manifest, whose files are all present. */
  void installed(Manifest manifest) {
    installed = manifest;
    commit =
        new Commit(
            new AppliedPosition(manifest.nextOffset(), manifest.nextSeqNo(), manifest.fenceTerm()),
            names(manifest),
            manifest.commitData());
  }

  /** The manifest that a segment replica shows after a restart; null after a primary wrote here. */
  @Nullable Manifest kept() {
    Manifest last = installed;
    Commit now = commit;
    return last != null && now != null && now.files().equals(names(last)) && holdsAll(last.files())
        ? last
        : null;
  }

  /** The last commit as a manifest that is older than all of its term; null if there is none. */
  @Nullable Manifest committed(ShardId shard, String nodeId) {
    Commit last = commit;
    if (last == null || last.checkpoint().fenceTerm() == 0) {
      return null;
    }
    AppliedPosition reached = last.checkpoint();
    List<SegmentFile> identities =
        last.files().stream()
            .map(files::get)
            .filter(Objects::nonNull)
            .map(Segment::identity)
            .toList();
    return identities.size() < last.files().size()
        ? null
        : new Manifest(
            shard,
            nodeId,
            reached.fenceTerm(),
            0,
            reached.nextOffset(),
            reached.nextSeqNo(),
            reached.fenceTerm(),
            reached.lastSeqNo(),
            identities,
            "",
            last.data(),
            0);
  }

  private static List<String> names(Manifest manifest) {
    return manifest.files().stream().map(SegmentFile::name).toList();
  }

  boolean holds(SegmentFile file) {
    Segment here = files.get(file.name());
    return here != null && here.identity().sameContent(file);
  }

  boolean holdsAll(List<SegmentFile> wanted) {
    return wanted.stream().allMatch(this::holds);
  }

  List<Segment> segments(List<SegmentFile> wanted) {
    List<Segment> found = new ArrayList<>();
    for (SegmentFile file : wanted) {
      Segment segment = files.get(file.name());
      if (segment != null) {
        found.add(segment);
      }
    }
    return found;
  }

  long committedOffset() {
    Commit last = commit;
    return last == null ? 0 : last.checkpoint().nextOffset();
  }
}
