package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;
import static io.varve.search.query.QueryParser.onlyField;
import static io.varve.search.query.QueryParser.required;
import static io.varve.search.query.QueryParser.several;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.List;
import java.util.Map;

/** Parses span queries. */
final class SpanQueries {

  private SpanQueries() {}

  static Query term(Fields outer) {
    Map.Entry<String, JsonValue> only = onlyField(outer, "span_term");
    return switch (only.getValue()) {
      case Scalar scalar when scalar.value() != null ->
          new SpanQuery.SpanTerm(only.getKey(), scalar.value(), Query.NO_BOOST);
      case Scalar _ -> throw new ApiException(ErrorBody.illegalArgument("value cannot be null"));
      case Obj object -> {
        Fields fields = new Fields("span_term", object);
        Object value = fields.takeScalar("value");
        Object old = fields.takeScalar("term");
        Object given = value == null ? old : value;
        if (given == null) {
          throw new ApiException(ErrorBody.illegalArgument("value cannot be null"));
        }
        yield ended(fields, new SpanQuery.SpanTerm(only.getKey(), given, boost(fields)));
      }
      case Arr array -> throw array.refused("[span_term] query does not support array of values");
    };
  }

  static Query near(Fields fields, int depth) {
    float boost = boost(fields);
    List<Query> clauses = clauses(fields, depth);
    int slop = fields.takeInt("slop", 0);
    boolean inOrder = fields.takeBoolean("in_order", true);
    return ended(fields, new SpanQuery.SpanNear(clauses, slop, inOrder, boost));
  }

  static Query or(Fields fields, int depth) {
    float boost = boost(fields);
    return ended(fields, new SpanQuery.SpanOr(clauses(fields, depth), boost));
  }

  private static List<Query> clauses(Fields fields, int depth) {
    List<Query> clauses = several(fields, "clauses", depth);
    if (clauses.isEmpty()) {
      throw fields.object().refused("[" + fields.owner() + "] must include [clauses]");
    }
    clauses.forEach(clause -> span(fields, "clauses", clause));
    return clauses;
  }

  private static Query span(Fields fields, String name, Query query) {
    Query inner = query instanceof Query.Named named ? named.query() : query;
    if (!(inner instanceof SpanQuery)) {
      throw fields
          .object()
          .refused("[" + fields.owner() + "] [" + name + "] must be of type span query");
    }
    if (inner.boost() != Query.NO_BOOST) {
      throw fields
          .object()
          .refused(
              "["
                  + fields.owner()
                  + "] ["
                  + name
                  + "] as a nested span clause can't have non-default boost value ["
                  + inner.boost()
                  + "]");
    }
    return query;
  }

  private static Query one(Fields fields, String name, int depth) {
    return span(
        fields,
        name,
        required(fields, name, depth, "[" + fields.owner() + "] must have [" + name + "] clause"));
  }

  static Query not(Fields fields, int depth) {
    float boost = boost(fields);
    Query include = one(fields, "include", depth);
    Query exclude = one(fields, "exclude", depth);
    int distance = fields.takeInt("dist", 0);
    int pre = fields.takeInt("pre", distance);
    int post = fields.takeInt("post", distance);
    return ended(fields, new SpanQuery.SpanNot(include, exclude, pre, post, boost));
  }

  static Query first(Fields fields, int depth) {
    float boost = boost(fields);
    Query match = one(fields, "match", depth);
    int end = fields.takeInt("end", -1);
    if (end < 0) {
      throw fields.object().refused("span_first must have [end] set for it");
    }
    return ended(fields, new SpanQuery.SpanFirst(match, end, boost));
  }

  static Query multi(Fields fields, int depth) {
    float boost = boost(fields);
    Query match =
        required(fields, "match", depth, "[span_multi] must have [match] multi term query clause");
    Query inner = match instanceof Query.Named named ? named.query() : match;
    if (!(inner instanceof PatternQuery) && !(inner instanceof Query.Range)) {
      throw fields.object().refused("[span_multi] [match] must be of type multi term query");
    }
    return ended(fields, new SpanQuery.SpanMulti(inner, boost));
  }

  static Query containing(Fields fields, int depth) {
    float boost = boost(fields);
    Query big = one(fields, "big", depth);
    return ended(fields, new SpanQuery.SpanContaining(big, one(fields, "little", depth), boost));
  }

  static Query within(Fields fields, int depth) {
    float boost = boost(fields);
    Query big = one(fields, "big", depth);
    return ended(fields, new SpanQuery.SpanWithin(big, one(fields, "little", depth), boost));
  }

  static Query fieldMasking(Fields fields, int depth) {
    float boost = boost(fields);
    Query query = one(fields, "query", depth);
    String field = fields.takeString("field");
    if (field == null) {
      throw fields.object().refused("[field_masking_span] must have [field] set for it");
    }
    return ended(fields, new SpanQuery.FieldMasking(query, field, boost));
  }
}
