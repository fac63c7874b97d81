package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The background set of significant terms: all documents of the shard, or those that match a
 * filter.
 */
final class BackgroundCounts {

  private final IndexSearcher searcher;
  private final AggregationTools tools;
  private final FieldValues values;
  private final @Nullable Query filter;
  private final long documents;

  private BackgroundCounts(
      AggregationContext context, FieldValues values, @Nullable Query filter, long documents) {
    this.searcher = context.searcher();
    this.tools = context.tools();
    this.values = values;
    this.filter = filter;
    this.documents = documents;
  }

  static BackgroundCounts of(
      io.varve.search.query.@Nullable Query given, FieldValues values, AggregationContext context)
      throws IOException {
    Query filter = given == null ? null : context.tools().query(given);
    long documents = context.searcher().count(filter == null ? MatchAllDocsQuery.INSTANCE : filter);
    return new BackgroundCounts(context, values, filter, documents);
  }

  long documents() {
    return documents;
  }

  /** The number of documents with a term. */
  long count(Object key) throws IOException {
    LeafField field = values.field();
    if (field == null) {
      return 0;
    }
    if (filter == null && key instanceof BytesKey bytes && field.indexed() && isWritten(field)) {
      Term term = new Term(field.path(), new BytesRef(bytes.bytes()));
      if (!searcher.getIndexReader().hasDeletions()) {
        return searcher.getIndexReader().docFreq(term);
      }
      return searcher.count(new TermQuery(term));
    }
    Query term =
        tools.query(
            new io.varve.search.query.Query.Term(
                field.path(), value(key), false, io.varve.search.query.Query.NO_BOOST));
    return searcher.count(
        filter == null
            ? term
            : new BooleanQuery.Builder()
                .add(term, BooleanClause.Occur.FILTER)
                .add(filter, BooleanClause.Occur.FILTER)
                .build());
  }

  /** Whether the inverted index contains the field's values unchanged. */
  private static boolean isWritten(LeafField field) {
    return switch (field.type()) {
      case TEXT, MATCH_ONLY_TEXT, KEYWORD -> true;
      default -> false;
    };
  }

  private Object value(Object key) {
    return switch (key) {
      case BytesKey bytes -> values.format().text(bytes.bytes());
      case Long whole when values.format() instanceof ValueFormat.Truth -> whole != 0;
      case Long whole when values.format() instanceof ValueFormat.Unsigned ->
          Long.toUnsignedString(whole);
      default -> key;
    };
  }
}
