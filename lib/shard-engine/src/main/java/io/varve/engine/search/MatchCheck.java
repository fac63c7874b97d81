package io.varve.engine.search;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * Determines without a search whether a query can match any document of a reader. It can't if a
 * required clause is a range outside the minimum and maximum value, or a term that no document has.
 */
final class MatchCheck {

  private final IndexReader reader;

  MatchCheck(IndexReader reader) {
    this.reader = reader;
  }

  /** False only if the query certainly matches nothing. */
  boolean canMatch(Query query) throws IOException {
    return switch (query) {
      case MatchNoDocsQuery _ -> false;
      case ConstantScoreQuery constant -> canMatch(constant.getQuery());
      case BoostQuery boosted -> canMatch(boosted.getQuery());
      case IndexOrDocValuesQuery either -> canMatch(either.getIndexQuery());
      case BooleanQuery bool -> canMatchAll(bool);
      case PointRangeQuery range -> overlaps(range);
      case TermQuery term -> reader.docFreq(term.getTerm()) > 0;
      default -> true;
    };
  }

  private boolean canMatchAll(BooleanQuery bool) throws IOException {
    boolean any = false;
    boolean optional = false;
    boolean required = false;
    for (BooleanClause clause : bool) {
      switch (clause.occur()) {
        case MUST, FILTER -> {
          required = true;
          if (!canMatch(clause.query())) {
            return false;
          }
        }
        case SHOULD -> {
          optional = true;
          any |= canMatch(clause.query());
        }
        case MUST_NOT -> {
          // Prohibited clauses are ignored: they never prove that nothing matches.
        }
      }
    }
    boolean needsOptional = bool.getMinimumNumberShouldMatch() > 0 || !required;
    return any || !optional || !needsOptional;
  }

  private boolean overlaps(PointRangeQuery range) throws IOException {
    byte[] least = PointValues.getMinPackedValue(reader, range.getField());
    byte[] greatest = PointValues.getMaxPackedValue(reader, range.getField());
    if (least == null || greatest == null) {
      return false;
    }
    int bytes = range.getBytesPerDim();
    for (int at = 0; at < least.length && at < range.getLowerPoint().length; at += bytes) {
      if (compare(range.getUpperPoint(), least, at, bytes) < 0
          || compare(range.getLowerPoint(), greatest, at, bytes) > 0) {
        return false;
      }
    }
    return true;
  }

  private static int compare(byte[] a, byte[] b, int from, int count) {
    return Arrays.compareUnsigned(a, from, from + count, b, from, from + count);
  }
}
