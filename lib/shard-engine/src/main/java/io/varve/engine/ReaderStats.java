package io.varve.engine;

import io.varve.codec.SegmentCodecs;
import io.varve.codec.StoredEncoding;
import io.varve.engine.fields.MetaFields;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.SeqNoDigests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/** Computes statistics of a view's segments. */
final class ReaderStats {

  private ReaderStats() {}

  /**
   * Documents visible to searches; segments including those not yet visible.
   *
   * @param newest the copy's own newest reader
   */
  static CopyStats.Contents contents(
      SearchView view, SearchView newest, long versionMapBytes, long writerBytes) {
    IndexReader reader = view.searcher().getIndexReader();
    IndexReader all = newest.searcher().getIndexReader();
    long storeBytes = 0;
    for (LeafReaderContext leaf : all.leaves()) {
      storeBytes += sizeBytes(segmentReader(leaf.reader()).getSegmentInfo());
    }
    return new CopyStats.Contents(
        reader.numDocs(),
        reader.numDeletedDocs(),
        storeBytes,
        all.leaves().size(),
        versionMapBytes,
        writerBytes);
  }

  /**
   * The digests of the live documents.
   *
   * @param toSeqNo exclusive
   */
  static SeqNoDigests digests(IndexReader reader, long toSeqNo) throws IOException {
    SeqNoDigests.Builder digests = new SeqNoDigests.Builder();
    for (LeafReaderContext context : reader.leaves()) {
      LeafReader leaf = context.reader();
      NumericDocValues seqNos = leaf.getNumericDocValues(MetaFields.SEQ_NO);
      NumericDocValues terms = leaf.getNumericDocValues(MetaFields.PRIMARY_TERM);
      NumericDocValues versions = leaf.getNumericDocValues(MetaFields.VERSION);
      if (seqNos == null || terms == null || versions == null) {
        continue;
      }
      Bits live = leaf.getLiveDocs();
      for (int doc = seqNos.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = seqNos.nextDoc()) {
        if ((live == null || live.get(doc))
            && seqNos.longValue() < toSeqNo
            && terms.advanceExact(doc)
            && versions.advanceExact(doc)) {
          digests.add(seqNos.longValue(), terms.longValue(), versions.longValue());
        }
      }
    }
    return digests.build();
  }

  static CopyStats.Commit commit(@Nullable SegmentInfos infos) {
    return infos == null
        ? CopyStats.Commit.NONE
        : new CopyStats.Commit(
            Base64.getEncoder().encodeToString(infos.getId()),
            infos.getGeneration(),
            Map.copyOf(infos.getUserData()),
            liveDocs(infos));
  }

  private static long liveDocs(SegmentInfos infos) {
    long docs = 0;
    for (SegmentCommitInfo segment : infos) {
      docs += segment.info.maxDoc() - segment.getDelCount() - segment.getSoftDelCount();
    }
    return docs;
  }

  /** The segments used by searches, followed by those only in the last commit. */
  static CopySegments segments(SearchView view, @Nullable SegmentInfos committed) {
    Map<String, SegmentCommitInfo> ofCommit = new HashMap<>();
    if (committed != null) {
      committed.forEach(info -> ofCommit.put(info.info.name, info));
    }
    List<CopySegments.Segment> segments = new ArrayList<>();
    Set<String> searched = new HashSet<>();
    for (LeafReaderContext context : view.searcher().getIndexReader().leaves()) {
      LeafReader leaf = context.reader();
      SegmentCommitInfo info = segmentReader(leaf).getSegmentInfo();
      searched.add(info.info.name);
      segments.add(
          segment(
              info,
              leaf.numDocs(),
              leaf.numDeletedDocs(),
              ofCommit.containsKey(info.info.name),
              true));
    }
    ofCommit.forEach((name, info) -> {
      if (!searched.contains(name)) {
        int deleted = info.getDelCount() + info.getSoftDelCount();
        segments.add(segment(info, info.info.maxDoc() - deleted, deleted, true, false));
      }
    });
    return new CopySegments(segments);
  }

  static CopySegments.Segment segment(
      SegmentCommitInfo info, int docs, int deletedDocs, boolean committed, boolean searched) {
    return new CopySegments.Segment(
        info.info.name,
        Long.parseLong(info.info.name.substring(1), Character.MAX_RADIX),
        docs,
        deletedDocs,
        sizeBytes(info),
        committed,
        searched,
        info.info.getVersion().toString(),
        info.info.getUseCompoundFile(),
        info.info.getAttributes(),
        fileBytes(info),
        info.info.getIndexSort() == null ? null : info.info.getIndexSort().toString(),
        storedFields(info.info));
  }

  private static CopySegments.StoredFields storedFields(SegmentInfo info) {
    StoredEncoding encoding = SegmentCodecs.encoding(info);
    try {
      return new CopySegments.StoredFields(
          encoding.codec(),
          encoding.level(),
          encoding.hasDictionary() ? encoding.dictionary() : "",
          SegmentCodecs.storedBytes(info),
          SegmentCodecs.contentBytes(info));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long sizeBytes(SegmentCommitInfo info) {
    try {
      return info.sizeInBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Long> fileBytes(SegmentCommitInfo info) {
    Map<String, Long> sizes = new HashMap<>();
    try {
      for (String file : info.files()) {
        sizes.put(file, info.info.dir.fileLength(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sizes;
  }

  private static SegmentReader segmentReader(LeafReader leaf) {
    LeafReader inner = FilterLeafReader.unwrap(leaf);
    return (SegmentReader)
        (inner instanceof CodecReader codec ? FilterCodecReader.unwrap(codec) : inner);
  }
}
