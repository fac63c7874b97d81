package io.varve.engine.search;

import io.varve.engine.fields.MetaFields;
import io.varve.search.ShardSearchContext.DocumentKey;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Values;
import io.varve.search.query.CompoundQuery.TermsLookup;
import io.varve.search.query.PatternQuery;
import io.varve.search.query.Query.Bound;
import io.varve.search.query.Query.Range;
import io.varve.search.source.NamePattern;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.sandbox.search.CoveringQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Translates queries on metadata fields, and terms lookups in other documents. */
final class MetaQueries {

  private static final Set<String> NUMBERS = Set.of(MetaFields.SEQ_NO, MetaFields.VERSION);
  private static final Set<String> KNOWN =
      Set.of(
          MetaFields.ID,
          MetaFields.ROUTING,
          MetaFields.IGNORED,
          "_index",
          "_field_names",
          MetaFields.SEQ_NO,
          MetaFields.VERSION);

  private final QueryContext context;

  MetaQueries(QueryContext context) {
    this.context = context;
  }

  static boolean knows(String field) {
    return KNOWN.contains(field);
  }

  static boolean isNumber(String field) {
    return NUMBERS.contains(field);
  }

  Query term(String field, Object value) {
    return terms(field, List.of(value));
  }

  Query terms(String field, List<Object> values) {
    List<String> texts = values.stream().map(Object::toString).toList();
    return switch (field) {
      case MetaFields.ID -> ids(texts);
      case "_index" ->
          texts.contains(context.index().name())
              ? MatchAllDocsQuery.INSTANCE
              : new MatchNoDocsQuery("another index");
      case MetaFields.SEQ_NO, MetaFields.VERSION ->
          new ConstantScoreQuery(
              NumericDocValuesField.newSlowSetQuery(
                  field, values.stream().mapToLong(MetaQueries::whole).toArray()));
      default ->
          texts.size() == 1
              ? new TermQuery(new Term(field, texts.getFirst()))
              : new ConstantScoreQuery(
                  new TermInSetQuery(field, texts.stream().map(BytesRef::new).toList()));
    };
  }

  static Query ids(List<String> ids) {
    List<BytesRef> terms = ids.stream().map(BytesRef::new).toList();
    return new ConstantScoreQuery(new TermInSetQuery(MetaFields.ID, terms));
  }

  static Query range(Range range) {
    Bound from = range.from();
    Bound to = range.to();
    long lower = from == null ? Long.MIN_VALUE : whole(from.value()) + (from.inclusive() ? 0 : 1);
    long upper = to == null ? Long.MAX_VALUE : whole(to.value()) - (to.inclusive() ? 0 : 1);
    return lower > upper
        ? new MatchNoDocsQuery("an empty range")
        : new ConstantScoreQuery(
            NumericDocValuesField.newSlowRangeQuery(range.field(), lower, upper));
  }

  private static long whole(Object value) {
    return Values.whole(FieldType.LONG, value);
  }

  /** All documents of an index have the same index name. */
  Query indexLike(PatternQuery pattern) {
    String name = context.index().name();
    boolean matches =
        switch (pattern) {
          case PatternQuery.Prefix prefix -> name.startsWith(prefix.value());
          case PatternQuery.Wildcard wildcard -> new NamePattern(wildcard.pattern()).matches(name);
          case PatternQuery.Regexp _, PatternQuery.Fuzzy _ ->
              throw SearchErrors.shard(
                  "Can only use regexp and fuzzy queries on keyword and text fields - not on"
                      + " [_index] which is of type [_index]");
        };
    return matches ? MatchAllDocsQuery.INSTANCE : new MatchNoDocsQuery("another index");
  }

  /** The values of a field of another document; empty if it does not exist. */
  static List<Object> lookedUp(QueryContext context, TermsLookup lookup) {
    byte @Nullable [] source =
        context
            .searchContext()
            .documents()
            .get(new DocumentKey(lookup.index(), lookup.id(), lookup.routing()));
    return source == null ? List.of() : SourceTree.parse(source).scalars(lookup.path());
  }

  /**
   * Requires that at least one of the queries matches, and at least as many as the document's value
   * of the field.
   */
  static Query covering(List<Query> each, LeafField minimum) {
    return new CoveringQuery(each, new MinOfField(minimum.path()));
  }
}
