package io.varve.engine.search;

import io.varve.engine.fields.FieldAnalyzers;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.Query.Operator;
import io.varve.search.query.Query.TextOptions;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;

/** Takes a text apart as its field does and looks for the words. */
final class TextQueries {

  private static final int MOST_EXPANSIONS = 50;

  private TextQueries() {}

  static Query words(LeafField field, String text, TextOptions options) {
    QueryBuilder builder = new Words(analyzer(field, options.analyzer()), options.fuzziness());
    BooleanClause.Occur occur =
        options.operator() == Operator.AND ? BooleanClause.Occur.MUST : BooleanClause.Occur.SHOULD;
    Query query = builder.createBooleanQuery(field.path(), text, occur);
    if (query == null) {
      return options.zeroTermsAll()
          ? MatchAllDocsQuery.INSTANCE
          : new MatchNoDocsQuery("a text without words");
    }
    String minimum = options.minimumShouldMatch();
    return minimum == null ? query : withMinimum(query, minimum);
  }

  static Query phrase(LeafField field, String text, int slop, @Nullable String analyzer) {
    Query query =
        new Words(analyzer(field, analyzer), null).createPhraseQuery(field.path(), text, slop);
    return query == null ? new MatchNoDocsQuery("a text without words") : query;
  }

  static Query withMinimum(Query query, String minimum) {
    if (!(query instanceof BooleanQuery bool)) {
      return query;
    }
    int optional = bool.getClauses(BooleanClause.Occur.SHOULD).size();
    int needed = MinimumShouldMatch.of(minimum, optional);
    if (optional == 0 || needed == 0) {
      return query;
    }
    if (needed > optional) {
      return new MatchNoDocsQuery("more clauses must match than there are");
    }
    BooleanQuery.Builder copy = new BooleanQuery.Builder().setMinimumNumberShouldMatch(needed);
    bool.clauses().forEach(copy::add);
    return copy.build();
  }

  private static Analyzer analyzer(LeafField field, @Nullable String name) {
    if (name == null) {
      return FieldAnalyzers.forSearching(field);
    }
    Analyzer named = FieldAnalyzers.named(name);
    if (named == null) {
      throw SearchErrors.shard("[match] analyzer [" + name + "] not found");
    }
    return named;
  }

  /** Builds queries of words, each within an edit distance if asked. */
  private static final class Words extends QueryBuilder {

    private final @Nullable String fuzziness;

    Words(Analyzer analyzer, @Nullable String fuzziness) {
      super(analyzer);
      this.fuzziness = fuzziness;
    }

    @Override
    protected Query newTermQuery(Term term, float boost) {
      int edits = edits(term.text());
      return edits == 0
          ? boosted(new TermQuery(term), boost)
          : boosted(new FuzzyQuery(term, edits, 0, MOST_EXPANSIONS, true), boost);
    }

    private static Query boosted(Query query, float boost) {
      return boost == 1 ? query : new org.apache.lucene.search.BoostQuery(query, boost);
    }

    private int edits(String word) {
      return switch (fuzziness) {
        case null -> 0;
        case "AUTO" -> {
          int length = word.codePointCount(0, word.length());
          yield length < 3 ? 0 : length < 6 ? 1 : 2;
        }
        default -> Integer.parseInt(fuzziness);
      };
    }
  }
}
