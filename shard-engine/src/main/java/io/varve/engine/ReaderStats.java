package io.varve.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentReader;

/** Reads the figures of a view's segments. */
final class ReaderStats {

  private ReaderStats() {}

  static EngineStats of(
      SearchView view,
      long maxSeqNo,
      long versionMapBytes,
      long bufferBytes,
      EngineStats.Counters counters) {
    IndexReader reader = view.searcher().getIndexReader();
    List<EngineStats.SegmentStats> segments = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      segments.add(segment(leaf.reader()));
    }
    return new EngineStats(
        reader.numDocs(),
        reader.numDeletedDocs(),
        segments.stream().mapToLong(EngineStats.SegmentStats::sizeBytes).sum(),
        maxSeqNo,
        view.visibleSeqNo(),
        view.generation(),
        versionMapBytes,
        bufferBytes,
        counters,
        segments);
  }

  private static EngineStats.SegmentStats segment(LeafReader leaf) {
    SegmentCommitInfo info = segmentReader(leaf).getSegmentInfo();
    try {
      return new EngineStats.SegmentStats(
          info.info.name,
          leaf.numDocs(),
          leaf.numDeletedDocs(),
          info.sizeInBytes(),
          info.info.getUseCompoundFile(),
          info.info.getVersion().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SegmentReader segmentReader(LeafReader leaf) {
    LeafReader inner = FilterLeafReader.unwrap(leaf);
    return (SegmentReader)
        (inner instanceof CodecReader codec ? FilterCodecReader.unwrap(codec) : inner);
  }
}
