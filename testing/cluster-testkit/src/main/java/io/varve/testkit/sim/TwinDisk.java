package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The folder of one copy: it outlives its process. */
final class TwinDisk {

  /** What a restart finds: files, and how far in the log they reach for certain. */
  record Commit(Checkpoint checkpoint, List<String> files) {}

  final Map<String, Segment> files = new LinkedHashMap<>();
  @Nullable Commit commit;

  /** What a replica by copying installed last. */
  private @Nullable Manifest installed;

  /** A replica swapped to that manifest, all of whose files are here. */
  void installed(Manifest manifest) {
    installed = manifest;
    commit =
        new Commit(
            new Checkpoint(manifest.nextOffset(), manifest.nextSeqNo(), manifest.fenceTerm()),
            names(manifest));
  }

  /** What a replica by copying shows when it starts here; null after a primary wrote here. */
  @Nullable Manifest kept() {
    Manifest last = installed;
    Commit now = commit;
    return last != null && now != null && now.files().equals(names(last)) && holdsAll(last.files())
        ? last
        : null;
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
