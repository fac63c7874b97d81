package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;
import static io.varve.search.query.QueryParser.onlyField;

import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.FieldsType;
import io.varve.search.query.Query.Operator;
import io.varve.search.query.Query.TextOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queries that take a text apart into words. */
final class TextQueries {

  private TextQueries() {}

  static Query match(Fields outer) {
    Map.Entry<String, JsonValue> only = onlyField(outer, "match");
    return switch (only.getValue()) {
      case Scalar scalar ->
          new Query.Match(
              only.getKey(), text(scalar, "match"), TextOptions.DEFAULT, Query.NO_BOOST);
      case Obj object -> {
        Fields fields = new Fields("match", object);
        Object text = text(fields, "match");
        yield ended(
            fields, new Query.Match(only.getKey(), text, options(fields, "match"), boost(fields)));
      }
      case JsonValue.Arr array ->
          throw array.refused("[match] unknown token [START_ARRAY] after [" + only.getKey() + "]");
    };
  }

  static Query matchPhrase(Fields outer) {
    Map.Entry<String, JsonValue> only = onlyField(outer, "match_phrase");
    return switch (only.getValue()) {
      case Scalar scalar ->
          new Query.MatchPhrase(
              only.getKey(), text(scalar, "match_phrase"), 0, null, Query.NO_BOOST);
      case Obj object -> {
        Fields fields = new Fields("match_phrase", object);
        Object text = text(fields, "match_phrase");
        int slop = fields.takeInt("slop", 0);
        if (slop < 0) {
          throw object.refused("No negative slop allowed.");
        }
        String analyzer = fields.takeString("analyzer");
        yield ended(
            fields, new Query.MatchPhrase(only.getKey(), text, slop, analyzer, boost(fields)));
      }
      case JsonValue.Arr array ->
          throw array.refused(
              "[match_phrase] unknown token [START_ARRAY] after [" + only.getKey() + "]");
    };
  }

  static Query multiMatch(Fields fields) {
    Object text = text(fields, "multi_match");
    List<FieldBoost> names = new ArrayList<>();
    for (String name : fields.takeStrings("fields")) {
      names.add(fieldBoost(name, fields.object()));
    }
    FieldsType type = fieldsType(fields.takeString("type"), fields.object());
    float tieBreaker = fields.takeFloat("tie_breaker", type == FieldsType.MOST_FIELDS ? 1 : 0);
    TextOptions options = options(fields, "multi_match");
    if (names.isEmpty()) {
      names.add(new FieldBoost("*", Query.NO_BOOST));
    }
    return ended(
        fields, new Query.MultiMatch(names, text, type, tieBreaker, options, boost(fields)));
  }

  private static FieldBoost fieldBoost(String name, JsonValue at) {
    int caret = name.indexOf('^');
    if (caret < 0) {
      return new FieldBoost(name, Query.NO_BOOST);
    }
    try {
      return new FieldBoost(name.substring(0, caret), Float.parseFloat(name.substring(caret + 1)));
    } catch (NumberFormatException e) {
      throw at.refused("[multi_match] failed to parse the boost of [" + name + "]");
    }
  }

  private static FieldsType fieldsType(@Nullable String name, JsonValue at) {
    return switch (name) {
      case null -> FieldsType.BEST_FIELDS;
      case "best_fields" -> FieldsType.BEST_FIELDS;
      case "most_fields" -> FieldsType.MOST_FIELDS;
      case "phrase" -> FieldsType.PHRASE;
      default ->
          throw at.refused(
              "failed to parse [multi_match] query type [" + name + "]. unknown type.");
    };
  }

  private static TextOptions options(Fields fields, String query) {
    String operator = fields.takeString("operator");
    String minimum = fields.takeString("minimum_should_match");
    String fuzziness = fuzziness(fields);
    String analyzer = fields.takeString("analyzer");
    boolean lenient = fields.takeBoolean("lenient", false);
    String zeroTerms = fields.takeString("zero_terms_query");
    boolean all =
        switch (zeroTerms == null ? "none" : zeroTerms.toLowerCase(Locale.ROOT)) {
          case "none" -> false;
          case "all" -> true;
          default ->
              throw fields
                  .object()
                  .refused("Unsupported zero_terms_query value [" + zeroTerms + "]");
        };
    return new TextOptions(operator(operator, query), minimum, fuzziness, analyzer, lenient, all);
  }

  private static @Nullable String fuzziness(Fields fields) {
    String text = fields.takeString("fuzziness");
    if (text == null) {
      return null;
    }
    String upper = text.toUpperCase(Locale.ROOT);
    return switch (upper) {
      case "AUTO", "0", "1", "2" -> upper;
      default -> throw fields.object().refused("Invalid fuzziness value: [" + text + "]");
    };
  }

  static Operator operator(@Nullable String name, String query) {
    if (name == null || name.equalsIgnoreCase("or")) {
      return Operator.OR;
    }
    if (name.equalsIgnoreCase("and")) {
      return Operator.AND;
    }
    throw new io.varve.rpc.ApiException(
        io.varve.rpc.ErrorBody.illegalArgument(
            "No enum constant of an operator for [" + query + "]: " + name));
  }

  private static Object text(Fields fields, String query) {
    Object text = fields.takeScalar("query");
    if (text == null) {
      throw new io.varve.rpc.ApiException(
          io.varve.rpc.ErrorBody.illegalArgument("[" + query + "] requires query value"));
    }
    return text;
  }

  private static Object text(Scalar scalar, String query) {
    Object value = scalar.value();
    if (value == null) {
      throw new io.varve.rpc.ApiException(
          io.varve.rpc.ErrorBody.illegalArgument("[" + query + "] requires query value"));
    }
    return value;
  }
}
