package io.varve.engine.search;

import io.varve.engine.MetaFields;
import io.varve.search.SearchRequest;
import io.varve.search.ShardHit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/** Reads what hits show, in the order of the index so that each stored block is read once. */
final class HitReader {

  private static final ShardHit.Stamp NOT_ASKED = new ShardHit.Stamp(-1, -2, 0);

  private final IndexSearcher searcher;
  private final SearchRequest.HitParts parts;
  private final boolean withSource;

  HitReader(IndexSearcher searcher, SearchRequest.HitParts parts, boolean sourceKept) {
    this.searcher = searcher;
    this.parts = parts;
    this.withSource = sourceKept && parts.source().enabled();
  }

  List<ShardHit> read(ScoreDoc[] documents, Function<ScoreDoc, List<@Nullable Object>> sortValues)
      throws IOException {
    ShardHit[] hits = new ShardHit[documents.length];
    int[] inIndexOrder =
        IntStream.range(0, documents.length)
            .boxed()
            .sorted(Comparator.comparingInt(i -> documents[i].doc))
            .mapToInt(Integer::intValue)
            .toArray();
    StoredFields stored = searcher.storedFields();
    for (int i : inIndexOrder) {
      ScoreDoc document = documents[i];
      Visitor visitor = new Visitor(withSource);
      stored.document(document.doc, visitor);
      hits[i] =
          new ShardHit(
              visitor.id,
              visitor.routing,
              document.score,
              sortValues.apply(document),
              stamp(document.doc),
              visitor.source);
    }
    return new ArrayList<>(Arrays.asList(hits));
  }

  private ShardHit.Stamp stamp(int doc) throws IOException {
    if (!parts.version() && !parts.seqNoPrimaryTerm()) {
      return NOT_ASKED;
    }
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
    int inLeaf = doc - leaf.docBase;
    return new ShardHit.Stamp(
        number(leaf, MetaFields.VERSION, inLeaf),
        number(leaf, MetaFields.SEQ_NO, inLeaf),
        number(leaf, MetaFields.PRIMARY_TERM, inLeaf));
  }

  private static long number(LeafReaderContext leaf, String field, int doc) throws IOException {
    NumericDocValues values = leaf.reader().getNumericDocValues(field);
    return values != null && values.advanceExact(doc) ? values.longValue() : 0;
  }

  private static final class Visitor extends StoredFieldVisitor {
    private final boolean withSource;
    private String id = "";
    private @Nullable String routing;
    private byte @Nullable [] source;

    Visitor(boolean withSource) {
      this.withSource = withSource;
    }

    @Override
    public Status needsField(FieldInfo field) {
      return switch (field.name) {
        case MetaFields.ID, MetaFields.ROUTING -> Status.YES;
        case MetaFields.SOURCE -> withSource ? Status.YES : Status.NO;
        default -> Status.NO;
      };
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      switch (field.name) {
        case MetaFields.ID -> id = new String(value, StandardCharsets.UTF_8);
        case MetaFields.ROUTING -> routing = new String(value, StandardCharsets.UTF_8);
        default -> source = value;
      }
    }
  }

  static List<@Nullable Object> noSortValues() {
    return Collections.emptyList();
  }
}
