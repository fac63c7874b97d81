package io.varve.engine.search;

import io.varve.engine.MetaFields;
import io.varve.engine.fields.MappedFields;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.Query.Bool;
import io.varve.search.query.Query.ConstantScore;
import io.varve.search.query.Query.Exists;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.FieldsType;
import io.varve.search.query.Query.GeoBoundingBox;
import io.varve.search.query.Query.GeoDistance;
import io.varve.search.query.Query.Ids;
import io.varve.search.query.Query.Match;
import io.varve.search.query.Query.MatchAll;
import io.varve.search.query.Query.MatchNone;
import io.varve.search.query.Query.MatchPhrase;
import io.varve.search.query.Query.MultiMatch;
import io.varve.search.query.Query.Prefix;
import io.varve.search.query.Query.Range;
import io.varve.search.query.Query.Term;
import io.varve.search.query.Query.Terms;
import io.varve.search.query.Query.Wildcard;
import io.varve.search.source.NamePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;

/** From what a search asks for to Lucene's queries, under one mapping. */
final class QueryTranslator {

  private final Mapping mapping;
  private final RangeQueries ranges;
  private final ValueQueries values;

  QueryTranslator(Mapping mapping, long nowMillis) {
    this.mapping = mapping;
    this.ranges = new RangeQueries(nowMillis);
    this.values = new ValueQueries(ranges);
  }

  Query translate(io.varve.search.query.Query query) {
    Query translated = unboosted(query);
    return query.boost() == 1 ? translated : new BoostQuery(translated, query.boost());
  }

  private Query unboosted(io.varve.search.query.Query query) {
    return switch (query) {
      case MatchAll all -> MatchAllDocsQuery.INSTANCE;
      case MatchNone none -> new MatchNoDocsQuery("nothing was asked for");
      case Match match -> match(match);
      case MatchPhrase phrase -> phrase(phrase);
      case MultiMatch multi -> multiMatch(multi);
      case Term term -> term(term);
      case Terms terms -> terms(terms);
      case Range range -> onField(range.field(), field -> ranges.of(searchable(field), range));
      case Bool bool -> bool(bool);
      case Exists exists -> exists(exists.field());
      case Prefix prefix -> prefix(prefix);
      case Wildcard wildcard -> wildcard(wildcard);
      case Ids ids -> ids(ids.ids());
      case ConstantScore constant -> new ConstantScoreQuery(translate(constant.filter()));
      case GeoBoundingBox box -> box(box);
      case GeoDistance distance -> distance(distance);
    };
  }

  /** A field that no mapping has is in no document. */
  private Query onField(String name, Function<LeafField, Query> translation) {
    LeafField field = mapping.leaf(name);
    if (field == null) {
      return new MatchNoDocsQuery("unmapped field [" + name + "]");
    }
    try {
      return translation.apply(field);
    } catch (ValueException e) {
      throw SearchErrors.of(e);
    }
  }

  private static LeafField searchable(LeafField field) {
    if (field.indexed() || field.docValues()) {
      return field;
    }
    throw SearchErrors.failedToCreate(
        io.varve.rpc.ErrorBody.illegalArgument(
            "Cannot search on field [" + field.path() + "] since it is not indexed."));
  }

  private Query match(Match match) {
    if (match.field().equals(MetaFields.ID)) {
      return ids(List.of(match.text().toString()));
    }
    return onField(
        match.field(),
        field -> {
          try {
            return field.type() == FieldType.TEXT
                ? TextQueries.words(searchable(field), match.text().toString(), match.options())
                : values.one(searchable(field), match.text());
          } catch (ValueException e) {
            if (match.options().lenient()) {
              return new MatchNoDocsQuery("the field can't hold the value");
            }
            throw e;
          }
        });
  }

  private Query phrase(MatchPhrase phrase) {
    return onField(
        phrase.field(),
        field ->
            field.type() == FieldType.TEXT
                ? TextQueries.phrase(
                    searchable(field), phrase.text().toString(), phrase.slop(), phrase.analyzer())
                : values.one(searchable(field), phrase.text()));
  }

  private Query multiMatch(MultiMatch multi) {
    List<Query> queries = new ArrayList<>();
    for (FieldBoost wanted : multi.fields()) {
      boolean pattern = wanted.field().indexOf('*') >= 0;
      if (!pattern) {
        queries.add(oneOf(multi, wanted.field(), wanted.boost(), multi.options().lenient()));
        continue;
      }
      NamePattern names = new NamePattern(wanted.field());
      for (LeafField field : mapping.leaves().values()) {
        if (names.matches(field.path()) && field.indexed() && field.type() != FieldType.GEO_POINT) {
          // A pattern meets fields of all types: those that can't hold the value don't match.
          queries.add(oneOf(multi, field.path(), wanted.boost(), true));
        }
      }
    }
    return switch (queries.size()) {
      case 0 -> new MatchNoDocsQuery("no fields to look in");
      case 1 -> queries.getFirst();
      default -> new DisjunctionMaxQuery(queries, Math.clamp(multi.tieBreaker(), 0f, 1f));
    };
  }

  private Query oneOf(MultiMatch multi, String field, float boost, boolean lenient) {
    Query query;
    try {
      query =
          multi.type() == FieldsType.PHRASE
              ? translate(new MatchPhrase(field, multi.text(), 0, multi.options().analyzer(), 1))
              : translate(new Match(field, multi.text(), multi.options(), 1));
    } catch (io.varve.rpc.ApiException e) {
      if (!lenient) {
        throw e;
      }
      query = new MatchNoDocsQuery(e.error().reason());
    }
    return boost == 1 ? query : new BoostQuery(query, boost);
  }

  private Query term(Term term) {
    if (term.field().equals(MetaFields.ID)) {
      return ids(List.of(term.value().toString()));
    }
    if (term.field().equals(MetaFields.ROUTING)) {
      return new TermQuery(
          new org.apache.lucene.index.Term(MetaFields.ROUTING, term.value().toString()));
    }
    return onField(
        term.field(),
        field -> {
          boolean byTerms = field.type() == FieldType.TEXT || field.type() == FieldType.KEYWORD;
          return term.caseInsensitive() && byTerms && field.indexed()
              ? Automatons.term(field.path(), term.value().toString())
              : values.one(searchable(field), term.value());
        });
  }

  private Query terms(Terms terms) {
    if (terms.field().equals(MetaFields.ID)) {
      return ids(terms.values().stream().map(Object::toString).toList());
    }
    return onField(terms.field(), field -> values.any(searchable(field), terms.values()));
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
      builder.add(MatchAllDocsQuery.INSTANCE, BooleanClause.Occur.FILTER);
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

  private Query exists(String name) {
    if (name.equals(MetaFields.ID) || name.equals(MetaFields.SEQ_NO)) {
      return new ConstantScoreQuery(MatchAllDocsQuery.INSTANCE);
    }
    LeafField exact = mapping.leaf(name);
    if (exact != null) {
      return new ConstantScoreQuery(existsOne(exact));
    }
    NamePattern names = new NamePattern(name.indexOf('*') >= 0 ? name : name + ".*");
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    boolean some = false;
    for (LeafField field : mapping.leaves().values()) {
      if (names.matches(field.path())) {
        any.add(existsOne(field), BooleanClause.Occur.SHOULD);
        some = true;
      }
    }
    return some
        ? new ConstantScoreQuery(any.build())
        : new MatchNoDocsQuery("unmapped field [" + name + "]");
  }

  private static Query existsOne(LeafField field) {
    return MappedFields.findsByValues(field)
        ? new FieldExistsQuery(field.path())
        : new TermQuery(new org.apache.lucene.index.Term(MappedFields.FIELD_NAMES, field.path()));
  }

  private Query prefix(Prefix prefix) {
    return onField(
        prefix.field(),
        field -> {
          requireTerms(field, "prefix");
          return prefix.caseInsensitive()
              ? Automatons.prefix(field.path(), prefix.value())
              : new PrefixQuery(
                  new org.apache.lucene.index.Term(
                      field.path(), MappedFields.keywordTerm(field, prefix.value())));
        });
  }

  private Query wildcard(Wildcard wildcard) {
    return onField(
        wildcard.field(),
        field -> {
          requireTerms(field, "wildcard");
          return wildcard.caseInsensitive()
              ? Automatons.wildcard(field.path(), wildcard.pattern())
              : new WildcardQuery(
                  new org.apache.lucene.index.Term(
                      field.path(), MappedFields.keywordTerm(field, wildcard.pattern())));
        });
  }

  private static void requireTerms(LeafField field, String query) {
    if (field.type() != FieldType.TEXT && field.type() != FieldType.KEYWORD) {
      throw SearchErrors.shard(
          "Can only use "
              + query
              + " queries on keyword, text and wildcard fields - not on ["
              + field.path()
              + "] which is of type ["
              + field.type().json()
              + "]");
    }
    if (!field.indexed()) {
      throw SearchErrors.shard(
          "Cannot search on field [" + field.path() + "] since it is not indexed.");
    }
  }

  private static Query ids(List<String> ids) {
    List<BytesRef> terms = ids.stream().map(BytesRef::new).toList();
    return new ConstantScoreQuery(new TermInSetQuery(MetaFields.ID, terms));
  }

  private Query box(GeoBoundingBox box) {
    return onField(
        box.field(),
        field -> {
          requirePoints(field, "geo_bounding_box");
          GeoPoint from = box.bottomRight();
          GeoPoint to = box.topLeft();
          if (from.lat() > to.lat()) {
            throw SearchErrors.illegal(
                "top is below bottom corner: " + to.lat() + " vs. " + from.lat());
          }
          Query byPoints =
              LatLonPoint.newBoxQuery(field.path(), from.lat(), to.lat(), to.lon(), from.lon());
          return field.docValues()
              ? new IndexOrDocValuesQuery(
                  byPoints,
                  LatLonDocValuesField.newSlowBoxQuery(
                      field.path(), from.lat(), to.lat(), to.lon(), from.lon()))
              : byPoints;
        });
  }

  private Query distance(GeoDistance distance) {
    return onField(
        distance.field(),
        field -> {
          requirePoints(field, "geo_distance");
          GeoPoint center = distance.center();
          Query byPoints =
              LatLonPoint.newDistanceQuery(
                  field.path(), center.lat(), center.lon(), distance.meters());
          return field.docValues()
              ? new IndexOrDocValuesQuery(
                  byPoints,
                  LatLonDocValuesField.newSlowDistanceQuery(
                      field.path(), center.lat(), center.lon(), distance.meters()))
              : byPoints;
        });
  }

  private static void requirePoints(LeafField field, String query) {
    if (field.type() != FieldType.GEO_POINT || !field.indexed()) {
      throw SearchErrors.shard(
          "Field [" + field.path() + "] is not an indexed geo_point, as " + query + " needs");
    }
  }
}
