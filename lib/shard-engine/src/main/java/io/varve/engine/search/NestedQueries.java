package io.varve.engine.search;

import io.varve.engine.fields.NestedDocuments;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.query.CompoundQuery.Nested;
import io.varve.search.query.InnerHits;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.search.join.ToParentBlockJoinQuery;
import org.jspecify.annotations.Nullable;

/** Translates queries on nested objects. */
final class NestedQueries {

  /** The root documents, cached per segment. */
  static final BitSetProducer ROOTS = new QueryBitSetProducer(NestedDocuments.roots());

  private final QueryContext context;
  private final QueryTranslator translator;

  NestedQueries(QueryContext context, QueryTranslator translator) {
    this.context = context;
    this.translator = translator;
  }

  Query of(Nested nested) {
    context.requireExpensive("[joining] queries");
    ObjectField object = context.mapping().object(nested.path());
    if (object == null || !object.isNested()) {
      if (nested.ignoreUnmapped()) {
        return new MatchNoDocsQuery("no nested objects under [" + nested.path() + "]");
      }
      throw SearchErrors.shard(
          "[nested] "
              + (object == null
                  ? "failed to find nested object under path [" + nested.path() + "]"
                  : "nested object under path [" + nested.path() + "] is not of nested type"));
    }
    String around = context.nestedPath();
    InnerHitsPart.Plan plan = plan(nested);
    Set<String> named = new LinkedHashSet<>(context.named().keySet());
    Query inner = context.within(nested.path(), plan, () -> translator.translate(nested.query()));
    Query objects = at(nested.path(), inner);
    BitSetProducer parents = parents(around);
    if (plan != null) {
      plan.found(objects);
      context.addInnerHits(plan);
    }
    // A named query inside matches an object; the document has the name if any of its objects has.
    for (Map.Entry<String, Query> one : context.named().entrySet()) {
      if (!named.contains(one.getKey())) {
        one.setValue(
            new ToParentBlockJoinQuery(at(nested.path(), one.getValue()), parents, ScoreMode.Max));
      }
    }
    return new ToParentBlockJoinQuery(objects, parents, mode(nested));
  }

  static BitSetProducer parents(@Nullable String path) {
    return path == null ? ROOTS : new QueryBitSetProducer(NestedDocuments.at(path));
  }

  private static Query at(String path, Query inner) {
    return new BooleanQuery.Builder()
        .add(inner, BooleanClause.Occur.MUST)
        .add(NestedDocuments.at(path), BooleanClause.Occur.FILTER)
        .build();
  }

  private InnerHitsPart.@Nullable Plan plan(Nested nested) {
    InnerHits wanted = nested.innerHits();
    if (wanted == null) {
      return null;
    }
    int most = context.index().number("index.max_inner_result_window", 100);
    long end = (long) wanted.hits().page().from() + wanted.hits().page().size();
    String name = wanted.name() == null ? nested.path() : wanted.name();
    if (end > most) {
      throw SearchErrors.illegal(
          "Inner result window is too large, the inner hit definition's ["
              + name
              + "]'s from + size must be less than or equal to: ["
              + most
              + "] but was ["
              + end
              + "]. This limit can be set by changing the [index.max_inner_result_window] index"
              + " level setting.");
    }
    return new InnerHitsPart.Plan(name, nested.path(), wanted.hits(), nested.query());
  }

  private static ScoreMode mode(Nested nested) {
    return switch (nested.scoreMode()) {
      case NONE -> ScoreMode.None;
      case AVG -> ScoreMode.Avg;
      case MAX -> ScoreMode.Max;
      case MIN -> ScoreMode.Min;
      case SUM -> ScoreMode.Total;
    };
  }
}
