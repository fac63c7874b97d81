package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
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
import io.varve.search.query.ScoreQuery;
import io.varve.search.query.SpanQuery;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/**
 * Translates the queries of a search to Lucene's, under one mapping. Queries of one field are
 * translated by {@link FieldQueryTranslator}.
 */
final class QueryTranslator {

  private final QueryContext context;
  private final FieldQueryTranslator fields;
  private final MultiFieldQueryTranslator multiField;
  private final PatternQueryTranslator patterns;

  QueryTranslator(QueryContext context) {
    this.context = context;
    this.multiField = new MultiFieldQueryTranslator(context, this);
    this.patterns = new PatternQueryTranslator(context);
    this.fields = new FieldQueryTranslator(context, patterns);
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
      case Match match -> fields.match(match);
      case MatchPhrase phrase -> fields.phrase(phrase);
      case MultiMatch multi -> multiField.multiMatch(multi);
      case Term term -> fields.term(term);
      case Terms terms -> fields.terms(terms.field(), terms.values());
      case Range range -> fields.range(range);
      case Bool bool -> bool(bool);
      case Exists exists -> new ExistsQueries(context).of(exists.field());
      case Ids ids -> fields.ids(ids.ids());
      case ConstantScore constant -> new ConstantScoreQuery(translate(constant.filter()));
      case Named named -> named(named);
      case PatternQuery pattern -> fields.pattern(pattern);
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
      case FullTextQuery.MatchPhrasePrefix prefix -> fields.phrasePrefix(prefix);
      case FullTextQuery.MatchBoolPrefix prefix -> fields.boolPrefix(prefix);
      case FullTextQuery.CombinedFields combined -> multiField.combinedFields(combined);
      case FullTextQuery.QueryString string ->
          new StringQueryTranslator(context, this).queryString(string);
      case FullTextQuery.SimpleQueryString simple ->
          new StringQueryTranslator(context, this).simpleQueryString(simple);
      case FullTextQuery.MoreLikeThis like -> new MoreLikeThisQueries(context).of(like);
    };
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
          fields.terms(lookup.field(), MetaQueries.lookedUp(context, lookup));
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
    List<FieldBoost> defaults = new ArrayList<>();
    for (String name : setting.replaceAll("[\\[\\]\"]", "").split("\\s*,\\s*", -1)) {
      int caret = name.indexOf('^');
      try {
        defaults.add(
            caret < 0
                ? new FieldBoost(name, 1)
                : new FieldBoost(
                    name.substring(0, caret), Float.parseFloat(name.substring(caret + 1))));
      } catch (NumberFormatException e) {
        throw new ApiException(
            ErrorBody.illegalArgument("[index.query.default_field] holds [" + name + "]"));
      }
    }
    return defaults;
  }
}
