package io.varve.engine.search;

import io.varve.engine.fields.MetaFields;
import io.varve.engine.source.SourceReader;
import io.varve.search.hits.ShardHit;
import io.varve.search.query.HitsRequest;
import io.varve.search.source.SourceFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/** Fetches hits in index order, so that each block of stored fields is read once. */
final class HitReader {

  /** The ranking information of a found document, known before it is fetched. */
  interface Ranks {

    List<@Nullable Object> sortValues(ScoreDoc document);

    /** Formatted sort values, or null if they need no formatting. */
    @Nullable List<@Nullable Object> shownSortValues(ScoreDoc document);

    /** The value of the group that the hit represents. */
    @Nullable Object group(ScoreDoc document);
  }

  /** Readers of one segment. */
  private record Segment(LeafReaderContext leaf, StoredFields fields, SourceReader sources) {}

  /**
   * For fewer documents, reading each of them individually is faster than decompressing whole
   * blocks.
   */
  private static final int MIN_DENSE_DOCUMENTS = 32;

  private static final ShardHit.Stamp NOT_ASKED = new ShardHit.Stamp(-1, -2, 0);

  private final IndexSearcher searcher;
  private final HitsRequest.HitParts wanted;
  private final boolean sourceKept;
  private final List<HitPart> parts;

  HitReader(
      IndexSearcher searcher,
      HitsRequest.HitParts wanted,
      boolean sourceKept,
      List<HitPart> parts) {
    this.searcher = searcher;
    this.wanted = wanted;
    this.sourceKept = sourceKept;
    this.parts = List.copyOf(parts);
  }

  List<ShardHit> read(ScoreDoc[] documents, Ranks ranks) throws IOException {
    ShardHit[] hits = new ShardHit[documents.length];
    int[] inIndexOrder =
        IntStream.range(0, documents.length)
            .boxed()
            .sorted(Comparator.comparingInt(i -> documents[i].doc))
            .mapToInt(Integer::intValue)
            .toArray();
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    for (int from = 0; from < inIndexOrder.length; ) {
      int first = documents[inIndexOrder[from]].doc;
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(first, leaves));
      int end = leaf.docBase + leaf.reader().maxDoc();
      int to = from;
      while (to < inIndexOrder.length && documents[inIndexOrder[to]].doc < end) {
        to++;
      }
      int last = documents[inIndexOrder[to - 1]].doc;
      Segment segment =
          new Segment(
              leaf,
              stored(leaf.reader(), to - from, last - first + 1),
              new SourceReader(leaf.reader()));
      for (int i = from; i < to; i++) {
        int place = inIndexOrder[i];
        hits[place] = hit(documents[place], segment, ranks);
      }
      from = to;
    }
    return new ArrayList<>(Arrays.asList(hits));
  }

  /**
   * Reads documents that are close to each other with Lucene's reader for merges, which
   * decompresses each block once instead of once per document.
   *
   * @param span the range of ids that contains the documents
   */
  private static StoredFields stored(LeafReader reader, int documents, int span)
      throws IOException {
    boolean dense = documents >= MIN_DENSE_DOCUMENTS && span <= documents * 2L;
    return dense && FilterLeafReader.unwrap(reader) instanceof CodecReader codec
        ? codec.getFieldsReader().getMergeInstance()
        : reader.storedFields();
  }

  private ShardHit hit(ScoreDoc document, Segment segment, Ranks ranks) throws IOException {
    LeafReaderContext leaf = segment.leaf;
    StoredHit stored = new StoredHit(readsSource(), storedFields());
    segment.fields.document(document.doc - leaf.docBase, stored);
    stored.derive(segment.sources, document.doc - leaf.docBase, shown());
    List<ShardHit.Part> shown = new ArrayList<>();
    if (!parts.isEmpty()) {
      HitContext context =
          new HitContext(leaf, document.doc - leaf.docBase, document.score, stored);
      for (HitPart part : parts) {
        ShardHit.Part one = part.of(context);
        if (one != null) {
          shown.add(one);
        }
      }
    }
    Object group = ranks.group(document);
    List<@Nullable Object> shownValues = ranks.shownSortValues(document);
    return new ShardHit(
        stored.id(),
        stored.routing(),
        document.score,
        ranks.sortValues(document),
        stamp(leaf, document.doc - leaf.docBase),
        wanted.source().enabled() ? stored.source() : null,
        shown.isEmpty() && group == null && shownValues == null
            ? ShardHit.Extras.NONE
            : new ShardHit.Extras(shown, shownValues, group));
  }

  /** The requested filter of the source, if nothing else needs values from it. */
  private SourceFilter shown() {
    return parts.stream().anyMatch(HitPart::needsSource) ? SourceFilter.ALL : wanted.source();
  }

  private boolean readsSource() {
    return sourceKept
        && (wanted.source().enabled() || parts.stream().anyMatch(HitPart::needsSource));
  }

  private Set<String> storedFields() {
    Set<String> names = new HashSet<>();
    parts.forEach(part -> names.addAll(part.storedFields()));
    return names;
  }

  private ShardHit.Stamp stamp(LeafReaderContext leaf, int doc) throws IOException {
    if (!wanted.version() && !wanted.seqNoPrimaryTerm()) {
      return NOT_ASKED;
    }
    return new ShardHit.Stamp(
        number(leaf, MetaFields.VERSION, doc),
        number(leaf, MetaFields.SEQ_NO, doc),
        number(leaf, MetaFields.PRIMARY_TERM, doc));
  }

  private static long number(LeafReaderContext leaf, String field, int doc) throws IOException {
    NumericDocValues values = leaf.reader().getNumericDocValues(field);
    return values != null && values.advanceExact(doc) ? values.longValue() : 0;
  }
}
