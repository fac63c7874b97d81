package io.varve.engine.search;

import io.varve.codec.HitFields;
import io.varve.engine.fields.MetaFields;
import io.varve.engine.source.SourceReader;
import io.varve.search.hits.ShardHit;
import io.varve.search.query.HitsRequest;
import io.varve.search.source.SourceFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  private final List<HitPart> parts;
  private final Set<String> storedFields;
  private final boolean readsSource;

  /** The requested filter of the source, if nothing else needs values from it. */
  private final SourceFilter shownSource;

  HitReader(
      IndexSearcher searcher,
      HitsRequest.HitParts wanted,
      boolean sourceKept,
      List<HitPart> parts) {
    this.searcher = searcher;
    this.wanted = wanted;
    this.parts = List.copyOf(parts);
    this.storedFields = storedFields(parts);
    boolean needsSource = parts.stream().anyMatch(HitPart::needsSource);
    this.readsSource = sourceKept && (wanted.source().enabled() || needsSource);
    this.shownSource = needsSource ? SourceFilter.ALL : wanted.source();
  }

  private static Set<String> storedFields(List<HitPart> parts) {
    Set<String> names = new HashSet<>();
    parts.forEach(part -> names.addAll(part.storedFields()));
    return names;
  }

  List<ShardHit> read(ScoreDoc[] documents, Ranks ranks) throws IOException {
    ShardHit[] hits = new ShardHit[documents.length];
    int[] inIndexOrder = inIndexOrder(documents);
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
              HitFields.of(leaf.reader(), isDense(to - from, last - first + 1)),
              new SourceReader(leaf.reader()));
      for (int i = from; i < to; i++) {
        int place = inIndexOrder[i];
        hits[place] = hit(documents[place], segment, ranks);
      }
      from = to;
    }
    return new ArrayList<>(Arrays.asList(hits));
  }

  /** The places of the documents, sorted by document. */
  private static int[] inIndexOrder(ScoreDoc[] documents) {
    long[] sorted = new long[documents.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = (long) documents[i].doc << Integer.SIZE | i;
    }
    Arrays.sort(sorted);
    int[] places = new int[sorted.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = (int) sorted[i];
    }
    return places;
  }

  /**
   * @param span the range of ids that contains the documents
   */
  private static boolean isDense(int documents, int span) {
    return documents >= MIN_DENSE_DOCUMENTS && span <= documents * 2L;
  }

  private ShardHit hit(ScoreDoc document, Segment segment, Ranks ranks) throws IOException {
    LeafReaderContext leaf = segment.leaf;
    StoredHit stored = new StoredHit(readsSource, storedFields);
    segment.fields.document(document.doc - leaf.docBase, stored);
    stored.derive(segment.sources, document.doc - leaf.docBase, shownSource);
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
