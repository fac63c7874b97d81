package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.FieldsType;
import io.varve.search.query.Query.TextOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses queries for a text in several fields. */
final class MultiFieldQueries {

  private MultiFieldQueries() {}

  static Query multiMatch(Fields fields) {
    Object text = TextQueries.text(fields, "multi_match");
    List<FieldBoost> names = fieldBoosts(fields);
    FieldsType type = fieldsType(fields.takeString("type"), fields.object());
    float tieBreaker = fields.takeFloat("tie_breaker", type == FieldsType.MOST_FIELDS ? 1 : 0);
    boolean fuzzy = fields.object().fields().containsKey("fuzziness");
    TextOptions options = TextQueries.options(fields);
    boolean slopGiven = fields.object().fields().containsKey("slop");
    int slop = TextQueries.slop(fields);
    if (type == FieldsType.BOOL_PREFIX
        && fields.object().fields().containsKey("cutoff_frequency")) {
      throw fields.object().refused("[cutoff_frequency] not allowed for type [bool_prefix]");
    }
    // A deprecated option for frequent words, which has no effect.
    var _ = fields.takeFloat("cutoff_frequency", 0);
    if (fuzzy
        && (type == FieldsType.CROSS_FIELDS
            || type == FieldsType.PHRASE
            || type == FieldsType.PHRASE_PREFIX)) {
      throw fields
          .object()
          .refused("Fuzziness not allowed for type [" + type.name().toLowerCase(Locale.ROOT) + "]");
    }
    if (slopGiven && type == FieldsType.BOOL_PREFIX) {
      throw fields.object().refused("[slop] not allowed for type [bool_prefix]");
    }
    return ended(
        fields, new Query.MultiMatch(names, text, type, tieBreaker, slop, options, boost(fields)));
  }

  static Query combinedFields(Fields fields) {
    Object text = TextQueries.text(fields, "combined_fields");
    List<FieldBoost> names = fieldBoosts(fields);
    if (names.isEmpty()) {
      throw new ApiException(
          ErrorBody.illegalArgument("[combined_fields] requires fields, but none were given"));
    }
    for (FieldBoost name : names) {
      if (name.boost() < 1) {
        throw new ApiException(
            ErrorBody.illegalArgument("[combined_fields] requires field boosts to be >= 1.0"));
      }
    }
    Query.Operator operator =
        TextQueries.operator(fields.takeString("operator"), "combined_fields");
    String minimum = fields.takeString("minimum_should_match");
    TextOptions options =
        new TextOptions(
            operator,
            minimum,
            Query.Fuzzing.NONE,
            TextQueries.analysis(fields, null),
            false,
            TextQueries.zeroTermsAll(fields));
    return ended(fields, new FullTextQuery.CombinedFields(names, text, options, boost(fields)));
  }

  /** The entries of {@code fields} with the boost after their caret; empty if not given. */
  static List<FieldBoost> fieldBoosts(Fields fields) {
    List<FieldBoost> names = new ArrayList<>();
    for (String name : fields.takeStrings("fields")) {
      names.add(fieldBoost(name, fields.object()));
    }
    return names;
  }

  private static FieldBoost fieldBoost(String name, JsonValue at) {
    int caret = name.indexOf('^');
    if (caret < 0) {
      return new FieldBoost(name, Query.NO_BOOST);
    }
    try {
      return new FieldBoost(name.substring(0, caret), Float.parseFloat(name.substring(caret + 1)));
    } catch (NumberFormatException e) {
      throw at.refused("failed to parse the boost of field [" + name + "]: " + e.getMessage());
    }
  }

  static FieldsType fieldsType(@Nullable String name, JsonValue at) {
    return switch (name) {
      case null -> FieldsType.BEST_FIELDS;
      case "best_fields", "boolean" -> FieldsType.BEST_FIELDS;
      case "most_fields" -> FieldsType.MOST_FIELDS;
      case "cross_fields" -> FieldsType.CROSS_FIELDS;
      case "phrase" -> FieldsType.PHRASE;
      case "phrase_prefix" -> FieldsType.PHRASE_PREFIX;
      case "bool_prefix" -> FieldsType.BOOL_PREFIX;
      default ->
          throw at.refused(
              "failed to parse [multi_match] query type [" + name + "]. unknown type.");
    };
  }
}
