package io.varve.engine;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.Directory;

/**
 * Finds the segments that a reader can share with the previous one: those whose files have the same
 * content and location.
 */
final class SharedLeaves {

  private SharedLeaves() {}

  @SuppressWarnings("ReferenceEquality") // the same directory, not an equal one
  static List<LeafReader> of(
      Directory from, DirectoryReader before, List<SegmentFile> was, List<SegmentFile> is)
      throws IOException {
    Set<SegmentFile> same = new HashSet<>(was);
    Set<String> changed = new HashSet<>();
    for (SegmentFile file : is) {
      if (!same.contains(file)) {
        changed.add(file.name());
      }
    }
    List<LeafReader> leaves = new ArrayList<>();
    for (LeafReaderContext leaf : before.leaves()) {
      SegmentReader segment = (SegmentReader) leaf.reader();
      if (segment.getSegmentInfo().info.dir == from
          && segment.getSegmentInfo().files().stream().noneMatch(changed::contains)) {
        leaves.add(segment);
      }
    }
    return leaves;
  }
}
