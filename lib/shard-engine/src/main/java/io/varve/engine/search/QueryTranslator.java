package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.CompoundQuery;
import io.varve.search.query.FullTextQuery;
import io.varve.search.query.GeoQuery;
import io.varve.search.query.IntervalQuery;
import io.varve.search.query.PatternQuery;
import io.varve.search.query.Query.Bool;
import io.varve.search.query.Query.ConstantScore;
import io.varve.search.query.Query.Exists;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.Ids;
import io.varve.search.query.Query.Match;
import io.varve.search.query.Query.MatchAll;
import io.varve.search.query.Query.MatchNone;
import io.varve.search.query.Query.MatchPhrase;
import io.varve.search.query.Query.MultiMatch;
import io.varve.search.query.Query.Named;
import io.varve.search.query.Query.Range;
import io.varve.search.query.Query.Term;
import io.varve.search.query.Query.Terms;
import io.varve.search.query.Query.TextOptions;
import io.varve.search.query.ScoreQuery;
import io.varve.search.query.SpanQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/** Translates the queries of a search to Lucene's, under one mapping. */
final class QueryTranslator {

  private final QueryContext context;
  private final RangeQueries ranges;
  private final ValueQueries values;
  private final TextQueryTranslator texts;
  private final MultiFieldQueryTranslator multiField;
  private final PatternQueryTranslator patterns;

  QueryTranslator(QueryContext context) {
    this.context = context;
    this.ranges = new RangeQueries(context.nowMillis());
    this.values = new ValueQueries(ranges);
    this.texts = new TextQueryTranslator(context);
    this.multiField = new MultiFieldQueryTranslator(context, this);
    this.patterns = new PatternQueryTranslator(context);
  }

  MultiFieldQueryTranslator multiField() {
    return multiField;
  }

  PatternQueryTranslator patterns() {
    return patterns;
  }

  Query translate(io.varve.search.query.Query query) {
    Query translated = unboosted(query);
    boolean own = query instanceof Named || query instanceof ScoreQuery.DistanceFeature;
    return query.boost() == 1 || own ? translated : new BoostQuery(translated, query.boost());
  }

  private Query unboosted(io.varve.search.query.Query query) {
    return switch (query) {
      case MatchAll _ -> MatchAllDocsQuery.INSTANCE;
      case MatchNone _ -> new MatchNoDocsQuery("match_none");
      case Match match -> match(match);
      case MatchPhrase phrase -> phrase(phrase);
      case MultiMatch multi -> multiField.multiMatch(multi);
      case Term term -> term(term);
      case Terms terms -> terms(terms.field(), terms.values());
      case Range range -> range(range);
      case Bool bool -> bool(bool);
      case Exists exists -> new ExistsQueries(context).of(exists.field());
      case Ids ids -> MetaQueries.ids(ids.ids());
      case ConstantScore constant -> new ConstantScoreQuery(translate(constant.filter()));
      case Named named -> named(named);
      case PatternQuery pattern -> pattern(pattern);
      case FullTextQuery text -> fullText(text);
      case CompoundQuery compound -> compound(compound);
      case ScoreQuery score -> scored(score);
      case GeoQuery geo -> new GeoQueryTranslator(context).of(geo);
      case IntervalQuery intervals -> new IntervalQueryTranslator(context).of(intervals);
      case SpanQuery span -> new SpanQueryTranslator(context, this).of(span);
    };
  }

  private Query named(Named named) {
    Query query = translate(named.query());
    context.named().put(named.name(), query);
    return query;
  }

  private Query fullText(FullTextQuery query) {
    return switch (query) {
      case FullTextQuery.MatchPhrasePrefix prefix ->
          onText(
              prefix.field(),
              field ->
                  texts.phrasePrefix(
                      field,
                      prefix.text().toString(),
                      prefix.slop(),
                      prefix.maxExpansions(),
                      prefix.analyzer(),
                      prefix.zeroTermsAll()),
              () ->
                  new PatternQuery.Prefix(
                      prefix.field(), prefix.text().toString(), false, null, 1));
      case FullTextQuery.MatchBoolPrefix prefix ->
          onText(
              prefix.field(),
              field -> texts.boolPrefix(field, prefix.text().toString(), prefix.options()),
              () ->
                  new PatternQuery.Prefix(
                      prefix.field(), prefix.text().toString(), false, null, 1));
      case FullTextQuery.CombinedFields combined -> multiField.combinedFields(combined);
      case FullTextQuery.QueryString string ->
          new StringQueryTranslator(context, this).queryString(string);
      case FullTextQuery.SimpleQueryString simple ->
          new StringQueryTranslator(context, this).simpleQueryString(simple);
      case FullTextQuery.MoreLikeThis like -> new MoreLikeThisQueries(context).of(like);
    };
  }

  /** Fields with a single term per value have no following words. */
  private Query onText(
      String name,
      Function<LeafField, Query> onText,
      Supplier<io.varve.search.query.Query> otherwise) {
    return onField(
        name,
        field ->
            field.type().isText()
                ? onText.apply(QueryContext.searchable(field))
                : translate(otherwise.get()));
  }

  private Query compound(CompoundQuery query) {
    return switch (query) {
      case CompoundQuery.DisMax disMax ->
          new DisjunctionMaxQuery(
              disMax.queries().stream().map(this::translate).toList(),
              Math.clamp(disMax.tieBreaker(), 0f, 1f));
      case CompoundQuery.Boosting boosting ->
          FunctionScoreQuery.boostByQuery(
              translate(boosting.positive()),
              translate(boosting.negative()),
              boosting.negativeBoost());
      case CompoundQuery.Nested nested -> new NestedQueries(context, this).of(nested);
      case CompoundQuery.TermsLookup lookup ->
          terms(lookup.field(), MetaQueries.looked(context, lookup));
      case CompoundQuery.TermsSet set -> termsSet(set);
    };
  }

  private Query termsSet(CompoundQuery.TermsSet set) {
    LeafField minimum = context.leaf(set.minimumField());
    if (minimum == null) {
      throw SearchErrors.shard(
          "failed to find minimum_should_match field [" + set.minimumField() + "]");
    }
    List<Query> each = new ArrayList<>();
    set.values().forEach(value -> each.add(translate(new Term(set.field(), value, false, 1))));
    return each.isEmpty() ? new MatchNoDocsQuery("no terms") : MetaQueries.covering(each, minimum);
  }

  private Query scored(ScoreQuery query) {
    ScoreQueryTranslator scores = new ScoreQueryTranslator(context, this);
    return switch (query) {
      case ScoreQuery.DistanceFeature feature -> scores.distanceFeature(feature);
      case ScoreQuery.FunctionScore function -> scores.functionScore(function);
    };
  }

  /** An unmapped field matches no document. */
  private Query onField(String name, Function<LeafField, Query> translation) {
    LeafField field = context.leaf(name);
    if (field == null) {
      return new MatchNoDocsQuery("unmapped field [" + name + "]");
    }
    try {
      return translation.apply(field);
    } catch (ValueException e) {
      throw SearchErrors.of(e);
    }
  }

  private Query match(Match match) {
    if (MetaQueries.knows(match.field())) {
      return new MetaQueries(context).term(match.field(), match.text());
    }
    return onField(
        match.field(),
        field -> {
          try {
            return field.type().isText()
                ? texts.words(
                    QueryContext.searchable(field), match.text().toString(), match.options())
                : value(field, match);
          } catch (ValueException e) {
            if (match.options().lenient()) {
              return new MatchNoDocsQuery("the field can't hold the value");
            }
            throw e;
          }
        });
  }

  private Query value(LeafField field, Match match) {
    if (match.options().fuzzing().fuzziness() != null && field.type() == FieldType.KEYWORD) {
      return patterns.fuzzy(
          field, new PatternQuery.Fuzzy(field.path(), match.text(), match.options().fuzzing(), 1));
    }
    QueryContext.searchable(field);
    return field.splitQueriesOnWhitespace() && match.text() instanceof String text
        ? eachWord(field, text, match.options())
        : values.one(field, match.text());
  }

  /** Treats each word of the text as a value of the field. */
  private Query eachWord(LeafField field, String text, TextOptions options) {
    BooleanQuery.Builder words = new BooleanQuery.Builder();
    String[] split = text.strip().split("\\s+", -1);
    for (String word : split) {
      words.add(values.one(field, word), TextQueryTranslator.occur(options));
    }
    String minimum = options.minimumShouldMatch();
    return minimum == null
        ? words.build()
        : TextQueryTranslator.withMinimum(words.build(), minimum);
  }

  private Query phrase(MatchPhrase phrase) {
    if (MetaQueries.knows(phrase.field())) {
      return new MetaQueries(context).term(phrase.field(), phrase.text());
    }
    return onField(
        phrase.field(),
        field ->
            field.type().isText()
                ? texts.phrase(
                    QueryContext.searchable(field),
                    phrase.text().toString(),
                    phrase.slop(),
                    phrase.analysis(),
                    phrase.zeroTermsAll())
                : values.one(QueryContext.searchable(field), phrase.text()));
  }

  private Query term(Term term) {
    if (MetaQueries.knows(term.field())) {
      return new MetaQueries(context).term(term.field(), term.value());
    }
    return onField(
        term.field(),
        field -> {
          boolean byTerms = field.type().isText() || field.type().isKeyword();
          return term.caseInsensitive() && byTerms
              ? patterns.term(field, term.value().toString())
              : values.one(QueryContext.searchable(field), term.value());
        });
  }

  private Query terms(String name, List<Object> given) {
    int most = context.index().number("index.max_terms_count", 65_536);
    if (given.size() > most) {
      throw SearchErrors.failedToCreate(
          ErrorBody.illegalArgument(
              "The number of terms ["
                  + given.size()
                  + "] used in the Terms Query request has exceeded the allowed maximum of ["
                  + most
                  + "]. This maximum can be set by changing the [index.max_terms_count] index"
                  + " level setting."));
    }
    if (MetaQueries.knows(name)) {
      return new MetaQueries(context).terms(name, given);
    }
    return onField(name, field -> values.any(QueryContext.searchable(field), given));
  }

  private Query range(Range range) {
    if (MetaQueries.isNumber(range.field())) {
      return MetaQueries.range(range);
    }
    return onField(
        range.field(),
        field -> {
          if (field.type().isText() || field.type().isKeyword()) {
            context.requireExpensive("[range] queries on [text] or [keyword] fields");
          }
          return ranges.of(QueryContext.searchable(field), range);
        });
  }

  private Query pattern(PatternQuery query) {
    if (query instanceof PatternQuery.Regexp regexp) {
      patterns.checkLength(regexp.pattern());
    }
    if (query.field().equals("_index")) {
      return new MetaQueries(context).indexLike(query);
    }
    return onField(
        query.field(),
        field ->
            switch (query) {
              case PatternQuery.Prefix prefix -> patterns.prefix(field, prefix);
              case PatternQuery.Wildcard wildcard -> patterns.wildcard(field, wildcard);
              case PatternQuery.Regexp regexp -> patterns.regexp(field, regexp);
              case PatternQuery.Fuzzy fuzzy -> patterns.fuzzy(field, fuzzy);
            });
  }

  private Query bool(Bool bool) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    bool.must().forEach(q -> builder.add(translate(q), BooleanClause.Occur.MUST));
    bool.filter().forEach(q -> builder.add(translate(q), BooleanClause.Occur.FILTER));
    bool.should().forEach(q -> builder.add(translate(q), BooleanClause.Occur.SHOULD));
    bool.mustNot().forEach(q -> builder.add(translate(q), BooleanClause.Occur.MUST_NOT));
    boolean positive = !bool.must().isEmpty() || !bool.filter().isEmpty();
    if (!positive && bool.should().isEmpty()) {
      if (bool.mustNot().isEmpty()) {
        return MatchAllDocsQuery.INSTANCE;
      }
      if (bool.adjustPureNegative()) {
        builder.add(MatchAllDocsQuery.INSTANCE, BooleanClause.Occur.FILTER);
      }
    }
    String minimum = bool.minimumShouldMatch();
    if (minimum == null) {
      return builder.build();
    }
    int optional = bool.should().size();
    int needed = MinimumShouldMatch.of(minimum, optional);
    if (needed > optional) {
      return new MatchNoDocsQuery("more clauses must match than there are");
    }
    if (needed == 0 && !positive && optional > 0) {
      builder.add(MatchAllDocsQuery.INSTANCE, BooleanClause.Occur.FILTER);
    }
    return builder.setMinimumNumberShouldMatch(needed).build();
  }

  /** The fields for text without a field: {@code index.query.default_field}, or all fields. */
  List<FieldBoost> defaultFields() {
    String setting = context.index().settings().get("index.query.default_field");
    if (setting == null) {
      return List.of(new FieldBoost("*", 1));
    }
    List<FieldBoost> fields = new ArrayList<>();
    for (String name : setting.replaceAll("[\\[\\]\"]", "").split("\\s*,\\s*", -1)) {
      int caret = name.indexOf('^');
      try {
        fields.add(
            caret < 0
                ? new FieldBoost(name, 1)
                : new FieldBoost(
                    name.substring(0, caret), Float.parseFloat(name.substring(caret + 1))));
      } catch (NumberFormatException e) {
        throw new ApiException(
            ErrorBody.illegalArgument("[index.query.default_field] holds [" + name + "]"));
      }
    }
    return fields;
  }
}
