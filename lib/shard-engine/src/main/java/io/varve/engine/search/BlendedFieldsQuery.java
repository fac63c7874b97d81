package io.varve.engine.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Matches a word in any of several fields, scored with blended term statistics: the document
 * frequency is that of the field where the word is most common, so that a word does not score high
 * because it is rare in an unrelated field. It is capped at each field's own document count.
 */
final class BlendedFieldsQuery extends Query {

  /** The word in one field. */
  record Part(Term term, float boost) {}

  private final List<Part> parts;
  private final float tieBreaker;

  BlendedFieldsQuery(List<Part> parts, float tieBreaker) {
    this.parts = List.copyOf(parts);
    this.tieBreaker = tieBreaker;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    List<TermStates> states = new ArrayList<>();
    int commonest = 0;
    long occurrences = 0;
    for (Part part : parts) {
      TermStates own = TermStates.build(searcher, part.term, true);
      states.add(own);
      if (own.docFreq() > commonest) {
        commonest = own.docFreq();
        occurrences = own.totalTermFreq();
      }
    }
    if (commonest == 0) {
      return new MatchNoDocsQuery("no field has the word");
    }
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (states.get(i).docFreq() > 0) {
        Query query =
            new TermQuery(
                part.term,
                blended(searcher, part.term.field(), states.get(i), commonest, occurrences));
        queries.add(part.boost == 1 ? query : new BoostQuery(query, part.boost));
      }
    }
    return new DisjunctionMaxQuery(queries, tieBreaker);
  }

  private static TermStates blended(
      IndexSearcher searcher, String field, TermStates own, int commonest, long occurrences)
      throws IOException {
    CollectionStatistics statistics = searcher.collectionStatistics(field);
    long most = statistics == null ? commonest : statistics.docCount();
    TermStates blended = new TermStates(searcher.getTopReaderContext());
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      IOSupplier<TermState> supplier = own.get(leaf);
      TermState state = supplier == null ? null : supplier.get();
      if (state != null) {
        blended.register(state, leaf.ord);
      }
    }
    int documents = (int) Math.max(1, Math.min(commonest, most));
    blended.accumulateStatistics(documents, Math.max(documents, occurrences));
    return blended;
  }

  @Override
  public void visit(QueryVisitor visitor) {
    QueryVisitor inner = visitor.getSubVisitor(BooleanClause.Occur.SHOULD, this);
    for (Part part : parts) {
      if (visitor.acceptField(part.term.field())) {
        inner.consumeTerms(this, part.term);
      }
    }
  }

  @Override
  public String toString(String field) {
    return "blended" + parts;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlendedFieldsQuery query
        && parts.equals(query.parts)
        && tieBreaker == query.tieBreaker;
  }

  @Override
  public int hashCode() {
    return Objects.hash(parts, tieBreaker);
  }
}
