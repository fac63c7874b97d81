package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;
import static io.varve.search.query.QueryParser.onlyField;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.Query.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses queries on exact values. */
final class TermQueries {

  private TermQueries() {}

  static Query term(Fields outer) {
    Map.Entry<String, JsonValue> only = onlyField(outer, "term");
    return switch (only.getValue()) {
      case Scalar scalar ->
          new Query.Term(only.getKey(), value("term", scalar.value()), false, Query.NO_BOOST);
      case Obj object -> {
        Fields fields = new Fields("term", object);
        Object value = value("term", fields.takeScalar("value"));
        boolean caseInsensitive = fields.takeBoolean("case_insensitive", false);
        yield ended(fields, new Query.Term(only.getKey(), value, caseInsensitive, boost(fields)));
      }
      case Arr array -> throw array.refused("[term] query does not support array of values");
    };
  }

  static Query terms(Fields fields) {
    float boost = boost(fields);
    // Other encodings of values, such as bitmaps, are not supported.
    String valueType = fields.takeString("value_type");
    if (valueType != null && !valueType.equalsIgnoreCase("default")) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[terms] value_type [" + valueType + "] is not offered by Varve"));
    }
    String name = fields.takeString("_name");
    if (fields.rest().isEmpty()) {
      throw fields
          .object()
          .refused(
              "[terms] query requires a field name, followed by array of terms or a document"
                  + " lookup specification");
    }
    Map.Entry<String, JsonValue> only = onlyField(fields, "terms");
    Query query =
        switch (only.getValue()) {
          case Arr array -> new Query.Terms(only.getKey(), values(array), boost);
          case Obj object -> lookup(only.getKey(), new Fields("terms", object), boost);
          case Scalar scalar ->
              throw scalar.refused("[terms] query does not support [" + only.getKey() + "]");
        };
    return name == null ? query : new Query.Named(name, query);
  }

  private static List<Object> values(Arr array) {
    List<Object> values = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof Scalar scalar) || scalar.value() == null) {
        throw item.refused("No value specified for terms query");
      }
      values.add(scalar.value());
    }
    return values;
  }

  private static Query lookup(String field, Fields fields, float boost) {
    String index = fields.takeString("index");
    String id = fields.takeString("id");
    String path = fields.takeString("path");
    String routing = fields.takeString("routing");
    boolean stored = fields.takeBoolean("store", false);
    if (index == null || id == null || path == null || stored || !fields.rest().isEmpty()) {
      throw fields
          .object()
          .refused(
              "[terms] query lookup needs [index], [id] and [path], may have [routing], and"
                  + " nothing else, but found "
                  + fields.object().fields().keySet());
    }
    return new CompoundQuery.TermsLookup(field, index, id, path, routing, boost);
  }

  static Query termsSet(Fields outer) {
    Map.Entry<String, JsonValue> only = onlyField(outer, "terms_set");
    if (!(only.getValue() instanceof Obj object)) {
      throw only.getValue().refused("[terms_set] query does not support [" + only.getKey() + "]");
    }
    Fields fields = new Fields("terms_set", object);
    if (!(fields.take("terms") instanceof Arr array)) {
      throw object.refused("[terms_set] requires a [terms] array");
    }
    String minimum = fields.takeString("minimum_should_match_field");
    if (fields.take("minimum_should_match_script") != null) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[minimum_should_match_script] is not offered by Varve, which has no scripts"));
    }
    if (minimum == null) {
      throw object.refused("No minimum should match has been specified");
    }
    return ended(
        fields, new CompoundQuery.TermsSet(only.getKey(), values(array), minimum, boost(fields)));
  }

  static Query range(Fields outer) {
    String outerName = outer.takeString("_name");
    Map.Entry<String, JsonValue> only = onlyField(outer, "range");
    if (!(only.getValue() instanceof Obj object)) {
      throw only.getValue().refused("[range] query does not support [" + only.getKey() + "]");
    }
    Fields fields = new Fields("range", object);
    boolean includeLower = fields.takeBoolean("include_lower", true);
    boolean includeUpper = fields.takeBoolean("include_upper", true);
    Bound from = bound(fields.takeScalar("from"), includeLower, null);
    Bound to = bound(fields.takeScalar("to"), includeUpper, null);
    from = bound(fields.takeScalar("gt"), false, from);
    from = bound(fields.takeScalar("gte"), true, from);
    to = bound(fields.takeScalar("lt"), false, to);
    to = bound(fields.takeScalar("lte"), true, to);
    String format = fields.takeString("format");
    String timeZone = fields.takeString("time_zone");
    Query.Relation relation = relation(fields.takeString("relation"), "range");
    Query query =
        ended(
            fields,
            new Query.Range(only.getKey(), from, to, format, timeZone, relation, boost(fields)));
    return outerName == null ? query : new Query.Named(outerName, query);
  }

  static Query.Relation relation(@Nullable String name, String query) {
    String lower = name == null ? "intersects" : name.toLowerCase(Locale.ROOT);
    if (lower.equals("disjoint") && query.equals("range")) {
      throw new ApiException(ErrorBody.illegalArgument(name + " is not a valid relation"));
    }
    return switch (lower) {
      case "intersects" -> Query.Relation.INTERSECTS;
      case "contains" -> Query.Relation.CONTAINS;
      case "within" -> Query.Relation.WITHIN;
      case "disjoint" -> Query.Relation.DISJOINT;
      default ->
          throw new ApiException(ErrorBody.illegalArgument(name + " is not a valid relation"));
    };
  }

  private static @Nullable Bound bound(
      @Nullable Object value, boolean inclusive, @Nullable Bound otherwise) {
    return value == null ? otherwise : new Bound(value, inclusive);
  }

  static Query exists(Fields fields) {
    String field = fields.takeString("field");
    float boost = boost(fields);
    if (field == null || field.isEmpty()) {
      fields.end();
      throw fields.object().refused("[exists] must be provided with a [field]");
    }
    return ended(fields, new Query.Exists(field, boost));
  }

  static Query ids(Fields fields) {
    List<String> values = fields.takeStrings("values");
    return ended(fields, new Query.Ids(values, boost(fields)));
  }

  private static Object value(String query, @Nullable Object value) {
    if (value == null) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              query.equals("term") ? "value cannot be null" : "value cannot be null or empty"));
    }
    return value;
  }
}
