package io.varve.engine.search;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.FullTextQuery.QueryString;
import io.varve.search.query.FullTextQuery.Syntax;
import io.varve.search.query.PatternQuery;
import io.varve.search.query.Query.Analysis;
import io.varve.search.query.Query.Bound;
import io.varve.search.query.Query.Exists;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.FieldsType;
import io.varve.search.query.Query.Fuzzing;
import io.varve.search.query.Query.MultiMatch;
import io.varve.search.query.Query.Range;
import io.varve.search.query.Query.Relation;
import io.varve.search.query.Query.TextOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.queryparser.classic.Token;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code query_string} over mapped fields: each clause is searched in the field that it
 * names, or in all default fields.
 */
final class QueryStringParser extends QueryParser {

  private static final float AUTOMATIC = 100;

  private final QueryContext context;
  private final QueryTranslator translator;
  private final QueryString query;
  private final Syntax syntax;
  private final List<FieldBoost> fields;

  QueryStringParser(
      QueryContext context,
      QueryTranslator translator,
      QueryString query,
      List<FieldBoost> fields) {
    super("*", new KeywordAnalyzer());
    this.context = context;
    this.translator = translator;
    this.query = query;
    this.syntax = query.syntax();
    this.fields = fields;
    field = null;
    setDefaultOperator(
        syntax.options().operator() == io.varve.search.query.Query.Operator.AND
            ? AND_OPERATOR
            : OR_OPERATOR);
    setPhraseSlop(syntax.phraseSlop());
    setAllowLeadingWildcard(true);
  }

  private List<FieldBoost> on(@Nullable String name) {
    return name == null ? fields : List.of(new FieldBoost(name, 1));
  }

  private TextOptions options(@Nullable String analyzer) {
    TextOptions own = syntax.options();
    Analysis analysis =
        new Analysis(
            analyzer, own.analysis().synonymPhrases(), own.analysis().positionIncrements());
    return new TextOptions(own.operator(), null, Fuzzing.NONE, analysis, own.lenient(), false);
  }

  @Override
  protected Query getFieldQuery(@Nullable String name, String text, boolean quoted)
      throws ParseException {
    if (quoted) {
      return getFieldQuery(name, text, getPhraseSlop());
    }
    if (name != null && text.length() > 1 && (text.charAt(0) == '>' || text.charAt(0) == '<')) {
      boolean inclusive = text.length() > 2 && text.charAt(1) == '=';
      String bound = text.substring(inclusive ? 2 : 1);
      return text.charAt(0) == '>'
          ? getRangeQuery(name, bound, null, inclusive, true)
          : getRangeQuery(name, null, bound, true, inclusive);
    }
    if ("_exists_".equals(name)) {
      return translator.translate(new Exists(text, 1));
    }
    return translator.translate(
        new MultiMatch(
            on(name),
            text,
            query.type(),
            syntax.tieBreaker(),
            syntax.phraseSlop(),
            options(syntax.options().analyzer()),
            1));
  }

  @Override
  protected Query getFieldQuery(@Nullable String name, String text, int slop) {
    if ("_exists_".equals(name)) {
      return translator.translate(new Exists(text, 1));
    }
    String analyzer =
        syntax.quoteAnalyzer() == null ? syntax.options().analyzer() : syntax.quoteAnalyzer();
    return translator.translate(
        new MultiMatch(
            quotedFields(on(name)),
            text,
            FieldsType.PHRASE,
            syntax.tieBreaker(),
            slop,
            options(analyzer),
            1));
  }

  private List<FieldBoost> quotedFields(List<FieldBoost> plain) {
    String suffix = syntax.quoteFieldSuffix();
    if (suffix == null) {
      return plain;
    }
    List<FieldBoost> quoted = new ArrayList<>();
    for (FieldBoost one : plain) {
      boolean there = context.leaf(one.field() + suffix) != null;
      quoted.add(there ? new FieldBoost(one.field() + suffix, one.boost()) : one);
    }
    return quoted;
  }

  /** Combines one query per field according to the type of the query. */
  private Query each(@Nullable String name, Function<String, io.varve.search.query.Query> query) {
    List<Query> queries = new ArrayList<>();
    MultiFieldQueryTranslator multi = translator.multiField();
    for (MultiFieldQueryTranslator.Wanted wanted :
        multi.wanted(on(name), syntax.options().lenient())) {
      queries.add(
          MultiFieldQueryTranslator.boosted(
              multi.leniently(query.apply(wanted.field()), wanted.lenient()), wanted.boost()));
    }
    return MultiFieldQueryTranslator.together(queries, syntax.tieBreaker());
  }

  @Override
  protected Query getRangeQuery(
      @Nullable String name,
      @Nullable String from,
      @Nullable String to,
      boolean includeFrom,
      boolean includeTo) {
    Bound lower = from == null || from.equals("*") ? null : new Bound(from, includeFrom);
    Bound upper = to == null || to.equals("*") ? null : new Bound(to, includeTo);
    return each(
        name,
        field ->
            new Range(
                field,
                normalized(field, lower),
                normalized(field, upper),
                null,
                syntax.timeZone(),
                Relation.INTERSECTS,
                1));
  }

  private @Nullable Bound normalized(String name, @Nullable Bound bound) {
    return bound == null
        ? null
        : new Bound(normalized(name, bound.value().toString()), bound.inclusive());
  }

  @Override
  protected Query getFuzzyQuery(@Nullable String name, String text, float similarity) {
    Fuzzing given = syntax.options().fuzzing();
    String fuzziness =
        similarity == AUTOMATIC
            ? given.fuzziness()
            : Integer.toString(
                FuzzyQuery.floatToEdits(similarity, text.codePointCount(0, text.length())));
    Fuzzing fuzzing =
        new Fuzzing(
            fuzziness,
            given.prefixLength(),
            given.maxExpansions(),
            given.transpositions(),
            given.rewrite());
    return each(name, field -> new PatternQuery.Fuzzy(field, normalized(field, text), fuzzing, 1));
  }

  /** If the query gives no distance, it depends on the length of the word. */
  @Override
  protected float getFuzzyDistance(Token token, String text) {
    return token.image.length() == 1 ? AUTOMATIC : super.getFuzzyDistance(token, text);
  }

  @Override
  protected Query getPrefixQuery(@Nullable String name, String text) {
    return each(
        name,
        field ->
            new PatternQuery.Prefix(field, normalized(field, text), false, syntax.rewrite(), 1));
  }

  @Override
  protected Query getWildcardQuery(@Nullable String name, String text) throws ParseException {
    if ("_exists_".equals(name)) {
      return translator.translate(new Exists(text, 1));
    }
    if (text.equals("*")) {
      boolean all = name == null ? isEverything() : name.equals("*");
      return all ? MatchAllDocsQuery.INSTANCE : each(name, field -> new Exists(field, 1));
    }
    if (Boolean.FALSE.equals(syntax.allowLeadingWildcard())
        && (text.startsWith("*") || text.startsWith("?"))) {
      throw new ParseException("'*' or '?' not allowed as first character in WildcardQuery");
    }
    return each(
        name,
        field ->
            new PatternQuery.Wildcard(
                field, normalizedPattern(field, text), false, syntax.rewrite(), 1));
  }

  private boolean isEverything() {
    return fields.size() == 1 && fields.getFirst().field().equals("*");
  }

  @Override
  protected Query getRegexpQuery(@Nullable String name, String text) {
    translator.patterns().checkLength(text);
    return each(
        name,
        field ->
            new PatternQuery.Regexp(
                field,
                normalizedLetters(field, text),
                0xff,
                false,
                syntax.maxDeterminizedStates(),
                syntax.rewrite(),
                1));
  }

  /** Normalizes a partial term like the field's terms, usually to lower case. */
  private String normalized(String name, String text) {
    LeafField leaf = context.leaf(name);
    return leaf == null || !leaf.type().isText()
        ? text
        : context
            .analyzer(leaf, syntax.options().analyzer())
            .normalize(leaf.path(), text)
            .utf8ToString();
  }

  /** Normalizes characters individually, since an escaped character must not change. */
  private String normalizedLetters(String name, String pattern) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      boolean escaped = i > 0 && pattern.charAt(i - 1) == '\\';
      result.append(Character.isLetter(c) && !escaped ? normalized(name, String.valueOf(c)) : c);
    }
    return result.toString();
  }

  private String normalizedPattern(String name, String pattern) {
    StringBuilder result = new StringBuilder();
    int start = 0;
    for (int i = 0; i <= pattern.length(); i++) {
      boolean end = i == pattern.length();
      boolean escape = !end && pattern.charAt(i) == '\\';
      if (end || escape || pattern.charAt(i) == '*' || pattern.charAt(i) == '?') {
        result.append(normalized(name, pattern.substring(start, i)));
        int kept = end ? 0 : escape ? Math.min(2, pattern.length() - i) : 1;
        result.append(pattern, i, i + kept);
        start = i + kept;
        i = Math.max(i, start - 1);
      }
    }
    return result.toString();
  }

  @Override
  protected @Nullable Query getBooleanQuery(List<BooleanClause> clauses) throws ParseException {
    Query bool = super.getBooleanQuery(clauses);
    return bool == null ? null : withPositive(bool);
  }

  /** Lets a query with only prohibited clauses match all other documents. */
  static Query withPositive(Query query) {
    if (!(query instanceof BooleanQuery bool)
        || bool.clauses().isEmpty()
        || !bool.clauses().stream().allMatch(BooleanClause::isProhibited)) {
      return query;
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    bool.clauses().forEach(builder::add);
    return builder.add(MatchAllDocsQuery.INSTANCE, BooleanClause.Occur.FILTER).build();
  }
}
