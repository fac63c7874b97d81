package io.varve.engine.search;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.FullTextQuery.SimpleQueryString;
import io.varve.search.query.PatternQuery;
import io.varve.search.query.Query.Fuzzing;
import io.varve.search.query.Query.Match;
import io.varve.search.query.Query.MatchPhrase;
import io.varve.search.query.Query.Operator;
import io.varve.search.query.Query.TextOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.queryparser.simple.SimpleQueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;

/**
 * Parses {@code simple_query_string} over mapped fields. The scores of several fields are added.
 */
final class SimpleQueryStringParser extends SimpleQueryParser {

  private final QueryContext context;
  private final QueryTranslator translator;
  private final SimpleQueryString query;

  SimpleQueryStringParser(
      QueryContext context,
      QueryTranslator translator,
      SimpleQueryString query,
      Map<String, Float> weights) {
    super(new KeywordAnalyzer(), weights, query.flags());
    this.context = context;
    this.translator = translator;
    this.query = query;
    setDefaultOperator(
        query.options().operator() == Operator.AND
            ? BooleanClause.Occur.MUST
            : BooleanClause.Occur.SHOULD);
  }

  private Query each(Function<String, io.varve.search.query.Query> make) {
    List<Query> queries = new ArrayList<>();
    weights.forEach((field, weight) ->
        queries.add(
            MultiFieldQueryTranslator.boosted(
                translator.multiField().leniently(make.apply(field), query.options().lenient()),
                weight)));
    return MultiFieldQueryTranslator.together(queries, 1);
  }

  private TextOptions options() {
    TextOptions own = query.options();
    return new TextOptions(
        own.operator(), null, Fuzzing.NONE, own.analysis(), own.lenient(), false);
  }

  @Override
  protected Query newDefaultQuery(String text) {
    return each(field -> new Match(field, text, options(), 1));
  }

  @Override
  protected Query newFuzzyQuery(String text, int edits) {
    Fuzzing given = query.options().fuzzing();
    Fuzzing fuzzing =
        new Fuzzing(
            Integer.toString(Math.min(2, edits)),
            given.prefixLength(),
            given.maxExpansions(),
            given.transpositions(),
            given.rewrite());
    return each(field -> new PatternQuery.Fuzzy(field, normalized(field, text), fuzzing, 1));
  }

  @Override
  protected Query newPhraseQuery(String text, int slop) {
    String suffix = query.quoteFieldSuffix();
    return each(field -> {
      boolean other = suffix != null && context.leaf(field + suffix) != null;
      return new MatchPhrase(
          other ? field + suffix : field, text, slop, query.options().analysis(), false, 1);
    });
  }

  @Override
  protected Query newPrefixQuery(String text) {
    return each(field -> new PatternQuery.Prefix(field, normalized(field, text), false, null, 1));
  }

  private String normalized(String name, String text) {
    LeafField leaf = context.leaf(name);
    return leaf == null || !leaf.type().isText()
        ? text
        : context
            .analyzer(leaf, query.options().analyzer())
            .normalize(leaf.path(), text)
            .utf8ToString();
  }

  @Override
  protected Query simplify(BooleanQuery bool) {
    return QueryStringParser.withPositive(super.simplify(bool));
  }
}
