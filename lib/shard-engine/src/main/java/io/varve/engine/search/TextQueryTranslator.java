package io.varve.engine.search;

import io.varve.engine.fields.FieldAnalyzers;
import io.varve.engine.fields.TextSubFields;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.Query.Analysis;
import io.varve.search.query.Query.Fuzzing;
import io.varve.search.query.Query.Operator;
import io.varve.search.query.Query.TextOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/**
 * Translates full text queries: analyzes the text as its field does, and searches for the words.
 */
final class TextQueryTranslator {

  private final QueryContext context;

  TextQueryTranslator(QueryContext context) {
    this.context = context;
  }

  Query words(LeafField field, String text, TextOptions options) {
    TextQueryBuilder builder =
        new TextQueryBuilder(
            context.analyzer(field, options.analyzer()), options.fuzzing(), options.analysis());
    Query query = builder.createBooleanQuery(field.path(), text, occur(options));
    if (query == null) {
      return noWords(options.zeroTermsAll());
    }
    String minimum = options.minimumShouldMatch();
    return minimum == null ? query : withMinimum(query, minimum);
  }

  static BooleanClause.Occur occur(TextOptions options) {
    return options.operator() == Operator.AND
        ? BooleanClause.Occur.MUST
        : BooleanClause.Occur.SHOULD;
  }

  static Query noWords(boolean all) {
    return all ? MatchAllDocsQuery.INSTANCE : new MatchNoDocsQuery("a text without words");
  }

  Query phrase(LeafField field, String text, int slop, Analysis analysis, boolean zeroTermsAll) {
    Analyzer analyzer = phraseAnalyzer(field, analysis.analyzer());
    Query query = slop == 0 ? byPairs(field, analyzer, text) : null;
    if (query == null) {
      query =
          new TextQueryBuilder(analyzer, Fuzzing.NONE, analysis)
              .createPhraseQuery(field.path(), text, slop);
    }
    return query == null ? noWords(zeroTermsAll) : query;
  }

  private Analyzer phraseAnalyzer(LeafField field, @Nullable String name) {
    return name == null ? FieldAnalyzers.forQuotes(field) : context.analyzer(field, name);
  }

  /** Uses indexed word pairs for phrases of at least two words with one word per position. */
  private static @Nullable Query byPairs(LeafField field, Analyzer analyzer, String text) {
    String pairs = TextSubFields.phraseField(field);
    if (pairs == null) {
      return null;
    }
    List<TextQueryBuilder.Position> positions =
        TextQueryBuilder.positions(analyzer, field.path(), text);
    boolean plain =
        positions.size() > 1
            && positions.getLast().position() == positions.size() - 1
            && positions.stream().allMatch(position -> position.terms().size() == 1);
    if (!plain) {
      return null;
    }
    PhraseQuery.Builder phrase = new PhraseQuery.Builder();
    for (int i = 1; i < positions.size(); i++) {
      String first = positions.get(i - 1).terms().getFirst().utf8ToString();
      String second = positions.get(i).terms().getFirst().utf8ToString();
      phrase.add(new Term(pairs, first + " " + second), i - 1);
    }
    return phrase.build();
  }

  /** Translates {@code match_phrase_prefix}: a phrase whose last word is a prefix. */
  Query phrasePrefix(
      LeafField field,
      String text,
      int slop,
      int maxExpansions,
      @Nullable String analyzer,
      boolean zeroTermsAll) {
    List<TextQueryBuilder.Position> positions =
        TextQueryBuilder.positions(phraseAnalyzer(field, analyzer), field.path(), text);
    if (positions.isEmpty()) {
      return noWords(zeroTermsAll);
    }
    MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder().setSlop(slop);
    for (TextQueryBuilder.Position position : positions.subList(0, positions.size() - 1)) {
      phrase.add(terms(field, position.terms()), position.position());
    }
    TextQueryBuilder.Position last = positions.getLast();
    List<BytesRef> expanded = expanded(field, last.terms(), Math.max(1, maxExpansions));
    if (expanded.isEmpty()) {
      return new MatchNoDocsQuery("no term has the last word as a prefix");
    }
    phrase.add(terms(field, expanded), last.position());
    return phrase.build();
  }

  private static Term[] terms(LeafField field, List<BytesRef> texts) {
    return texts.stream().map(text -> new Term(field.path(), text)).toArray(Term[]::new);
  }

  private List<BytesRef> expanded(LeafField field, List<BytesRef> prefixes, int limit) {
    List<BytesRef> found = new ArrayList<>();
    try {
      Terms terms = MultiTerms.getTerms(context.searcher().getIndexReader(), field.path());
      if (terms == null) {
        return found;
      }
      for (BytesRef prefix : prefixes) {
        TermsEnum walk = terms.iterator();
        if (walk.seekCeil(prefix) == TermsEnum.SeekStatus.END) {
          continue;
        }
        for (BytesRef term = walk.term();
            term != null && StringHelper.startsWith(term, prefix) && found.size() < limit;
            term = walk.next()) {
          found.add(BytesRef.deepCopyOf(term));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("expanding a prefix", e);
    }
    return found;
  }

  /** Translates {@code match_bool_prefix}: words, the last of which is a prefix. */
  Query boolPrefix(LeafField field, String text, TextOptions options) {
    List<TextQueryBuilder.Position> positions =
        TextQueryBuilder.positions(context.analyzer(field, options.analyzer()), field.path(), text);
    if (positions.isEmpty()) {
      return noWords(options.zeroTermsAll());
    }
    List<Query> clauses = new ArrayList<>();
    for (int i = 0; i < positions.size(); i++) {
      boolean last = i == positions.size() - 1;
      List<Query> alternatives = new ArrayList<>();
      for (BytesRef word : positions.get(i).terms()) {
        Term term = new Term(field.path(), word);
        alternatives.add(
            last ? new PrefixQuery(term) : TextQueryBuilder.fuzzy(term, options.fuzzing()));
      }
      clauses.add(alternatives.size() == 1 ? alternatives.getFirst() : any(alternatives));
    }
    if (clauses.size() == 1) {
      return clauses.getFirst();
    }
    BooleanQuery.Builder bool = new BooleanQuery.Builder();
    clauses.forEach(clause -> bool.add(clause, occur(options)));
    String minimum = options.minimumShouldMatch();
    return minimum == null ? bool.build() : withMinimum(bool.build(), minimum);
  }

  private static Query any(List<Query> queries) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    queries.forEach(query -> any.add(query, BooleanClause.Occur.SHOULD));
    return any.build();
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
}
