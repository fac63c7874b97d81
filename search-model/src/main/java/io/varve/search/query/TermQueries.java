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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queries on values as they stand. */
final class TermQueries {

  private static final int MOST_TERMS = 65_536;

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
    if (fields.rest().isEmpty()) {
      throw fields
          .object()
          .refused(
              "[terms] query requires a field name, followed by array of terms or a document"
                  + " lookup specification");
    }
    Map.Entry<String, JsonValue> only = onlyField(fields, "terms");
    if (!(only.getValue() instanceof Arr array)) {
      throw only.getValue().refused("[terms] query does not support [" + only.getKey() + "]");
    }
    if (array.items().size() > MOST_TERMS) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "The number of terms ["
                  + array.items().size()
                  + "] used in the Terms Query request has exceeded the allowed maximum of ["
                  + MOST_TERMS
                  + "]. This maximum can be set by changing the [index.max_terms_count] index"
                  + " level setting."));
    }
    List<Object> values = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof Scalar scalar) || scalar.value() == null) {
        throw item.refused("No value specified for terms query");
      }
      values.add(scalar.value());
    }
    return new Query.Terms(only.getKey(), values, boost);
  }

  static Query range(Fields outer) {
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
    return ended(fields, new Query.Range(only.getKey(), from, to, format, timeZone, boost(fields)));
  }

  private static @Nullable Bound bound(
      @Nullable Object value, boolean inclusive, @Nullable Bound otherwise) {
    return value == null ? otherwise : new Bound(value, inclusive);
  }

  static Query prefix(Fields outer) {
    Map.Entry<String, JsonValue> only = onlyField(outer, "prefix");
    return switch (only.getValue()) {
      case Scalar scalar ->
          new Query.Prefix(
              only.getKey(), value("prefix", scalar.value()).toString(), false, Query.NO_BOOST);
      case Obj object -> {
        Fields fields = new Fields("prefix", object);
        String value = value("prefix", fields.takeScalar("value")).toString();
        boolean caseInsensitive = fields.takeBoolean("case_insensitive", false);
        yield ended(fields, new Query.Prefix(only.getKey(), value, caseInsensitive, boost(fields)));
      }
      case Arr array -> throw array.refused("[prefix] query does not support array of values");
    };
  }

  static Query wildcard(Fields outer) {
    Map.Entry<String, JsonValue> only = onlyField(outer, "wildcard");
    return switch (only.getValue()) {
      case Scalar scalar ->
          new Query.Wildcard(
              only.getKey(), value("wildcard", scalar.value()).toString(), false, Query.NO_BOOST);
      case Obj object -> {
        Fields fields = new Fields("wildcard", object);
        Object own = fields.takeScalar("value");
        Object old = fields.takeScalar("wildcard");
        String pattern = value("wildcard", own == null ? old : own).toString();
        boolean caseInsensitive = fields.takeBoolean("case_insensitive", false);
        yield ended(
            fields, new Query.Wildcard(only.getKey(), pattern, caseInsensitive, boost(fields)));
      }
      case Arr array -> throw array.refused("[wildcard] query does not support array of values");
    };
  }

  static Query exists(Fields fields) {
    String field = fields.takeString("field");
    float boost = boost(fields);
    fields.end();
    if (field == null || field.isEmpty()) {
      throw fields.object().refused("[exists] must be provided with a [field]");
    }
    return new Query.Exists(field, boost);
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
