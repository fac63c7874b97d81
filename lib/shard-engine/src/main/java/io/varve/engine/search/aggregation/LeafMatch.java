package io.varve.engine.search.aggregation;

import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/** The matches of a query in a segment, if they are known without evaluating each document. */
sealed interface LeafMatch {

  /** All documents. */
  record All() implements LeafMatch {}

  /** Documents with a value between two inclusive bounds, given as sortable bits. */
  record Span(String field, long from, long to) implements LeafMatch {}

  /**
   * The range of values that match: all values, or those of a span of this field; null if unknown.
   */
  default @Nullable Span of(String field) {
    return switch (this) {
      case All all -> new Span(field, Long.MIN_VALUE, Long.MAX_VALUE);
      case Span span -> span.field.equals(field) ? span : null;
    };
  }

  /** Null if documents must be evaluated. */
  static @Nullable LeafMatch of(Query query) {
    return switch (query) {
      case MatchAllDocsQuery all -> new All();
      case ConstantScoreQuery constant -> of(constant.getQuery());
      case BoostQuery boosted -> of(boosted.getQuery());
      case IndexOrDocValuesQuery either -> of(either.getIndexQuery());
      case PointRangeQuery range -> of(range);
      case BooleanQuery bool -> of(bool);
      default -> null;
    };
  }

  private static @Nullable LeafMatch of(BooleanQuery bool) {
    LeafMatch only = null;
    List<BooleanClause> clauses = bool.clauses();
    for (BooleanClause clause : clauses) {
      boolean required = clause.isRequired();
      if (!required && (clause.occur() != BooleanClause.Occur.SHOULD || clauses.size() > 1)) {
        return null;
      }
      LeafMatch match = of(clause.query());
      if (match == null || (only instanceof Span && match instanceof Span)) {
        return null;
      }
      only = only instanceof Span ? only : match;
    }
    return only;
  }

  private static @Nullable LeafMatch of(PointRangeQuery range) {
    if (range.getNumDims() != 1) {
      return null;
    }
    return switch (range.getBytesPerDim()) {
      case Long.BYTES ->
          new Span(
              range.getField(),
              NumericUtils.sortableBytesToLong(range.getLowerPoint(), 0),
              NumericUtils.sortableBytesToLong(range.getUpperPoint(), 0));
      case Integer.BYTES ->
          new Span(
              range.getField(),
              NumericUtils.sortableBytesToInt(range.getLowerPoint(), 0),
              NumericUtils.sortableBytesToInt(range.getUpperPoint(), 0));
      default -> null;
    };
  }
}
