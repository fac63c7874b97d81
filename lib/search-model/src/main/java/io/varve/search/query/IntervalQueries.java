package io.varve.search.query;

import static io.varve.search.query.QueryParser.ended;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.query.IntervalQuery.Filter;
import io.varve.search.query.IntervalQuery.Mode;
import io.varve.search.query.IntervalQuery.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses {@code intervals} and its rules. */
final class IntervalQueries {

  private static final int DEFAULT_EXPANSIONS = 128;

  private static final Set<String> RULES =
      Set.of("match", "prefix", "wildcard", "regexp", "fuzzy", "all_of", "any_of");

  private static final Set<String> RELATIONS =
      Set.of(
          "containing",
          "contained_by",
          "not_containing",
          "not_contained_by",
          "overlapping",
          "not_overlapping",
          "before",
          "after");

  private IntervalQueries() {}

  static Query intervals(Fields outer) {
    Map.Entry<String, JsonValue> only = QueryParser.onlyField(outer, "intervals");
    if (!(only.getValue() instanceof Obj object)) {
      throw only.getValue()
          .refused("Expected [START_OBJECT] but got [" + only.getValue().token() + "]");
    }
    Fields fields = new Fields("intervals", object);
    float boost = QueryParser.boost(fields);
    Map.Entry<String, JsonValue> rule = null;
    for (Map.Entry<String, JsonValue> entry : fields.rest().entrySet()) {
      if (entry.getKey().equals("_name")) {
        continue;
      }
      if (rule != null) {
        throw entry
            .getValue()
            .refused(
                "Only one interval rule can be specified, found ["
                    + rule.getKey()
                    + "] and ["
                    + entry.getKey()
                    + "]");
      }
      rule = entry;
    }
    if (rule == null) {
      throw object.refused("Missing intervals from interval query definition");
    }
    fields.take(rule.getKey());
    return ended(
        fields, new IntervalQuery(only.getKey(), rule(rule.getKey(), rule.getValue(), 1), boost));
  }

  private static Rule rule(String name, JsonValue value, int depth) {
    if (!RULES.contains(name)) {
      throw value.refused(
          "Unknown interval type ["
              + name
              + "], expecting one of [match, any_of, all_of, prefix, wildcard, regexp, fuzzy]");
    }
    if (!(value instanceof Obj object)) {
      throw value.refused("Expected [START_OBJECT] but got [" + value.token() + "]");
    }
    if (depth > 50) {
      throw value.refused("The depth of the interval rules exceeds the limit of 50");
    }
    Fields fields = new Fields(name, object);
    Rule rule =
        switch (name) {
          case "match" -> match(fields, depth);
          case "prefix" ->
              new Rule.Prefix(
                  text(fields, "prefix"),
                  fields.takeString("analyzer"),
                  fields.takeString("use_field"));
          case "wildcard" ->
              new Rule.Wildcard(
                  text(fields, "pattern"),
                  fields.takeString("analyzer"),
                  fields.takeString("use_field"),
                  expansions(fields));
          case "regexp" -> regexp(fields);
          case "fuzzy" -> fuzzy(fields);
          case "all_of" -> allOf(fields, depth);
          default -> new Rule.AnyOf(rules(fields, depth), filter(fields, depth));
        };
    fields.end();
    return rule;
  }

  private static Rule match(Fields fields, int depth) {
    String query = text(fields, "query");
    int maxGaps = fields.takeInt("max_gaps", -1);
    Mode mode = mode(fields);
    return new Rule.Match(
        query,
        maxGaps,
        mode,
        fields.takeString("analyzer"),
        filter(fields, depth),
        fields.takeString("use_field"));
  }

  private static Rule regexp(Fields fields) {
    String pattern = text(fields, "pattern");
    return new Rule.Regexp(
        pattern,
        PatternQueries.flags(fields),
        fields.takeBoolean("case_insensitive", false),
        fields.takeString("use_field"),
        expansions(fields));
  }

  private static Rule fuzzy(Fields fields) {
    String term = text(fields, "term");
    String fuzziness = PatternQueries.fuzziness(fields);
    Query.Fuzzing fuzzing =
        new Query.Fuzzing(
            fuzziness == null ? "AUTO" : fuzziness,
            fields.takeInt("prefix_length", 0),
            DEFAULT_EXPANSIONS,
            fields.takeBoolean("transpositions", true),
            null);
    return new Rule.Fuzzy(
        term, fuzzing, fields.takeString("analyzer"), fields.takeString("use_field"));
  }

  private static Rule allOf(Fields fields, int depth) {
    int maxGaps = fields.takeInt("max_gaps", -1);
    Mode mode = mode(fields);
    return new Rule.AllOf(rules(fields, depth), maxGaps, mode, filter(fields, depth));
  }

  private static List<Rule> rules(Fields fields, int depth) {
    if (!(fields.take("intervals") instanceof Arr array)) {
      throw fields.object().refused("[" + fields.owner() + "] requires an [intervals] array");
    }
    List<Rule> rules = new ArrayList<>();
    for (JsonValue item : array.items()) {
      Map.Entry<String, JsonValue> only = single(item);
      rules.add(rule(only.getKey(), only.getValue(), depth + 1));
    }
    return rules;
  }

  private static Map.Entry<String, JsonValue> single(JsonValue value) {
    if (!(value instanceof Obj object) || object.fields().size() != 1) {
      throw value.refused("Expected an object with one interval rule");
    }
    return object.fields().entrySet().iterator().next();
  }

  private static @Nullable Filter filter(Fields fields, int depth) {
    JsonValue value = fields.take("filter");
    if (value == null) {
      return null;
    }
    Map.Entry<String, JsonValue> relation = single(value);
    if (relation.getKey().equals("script")) {
      throw new ApiException(
          ErrorBody.illegalArgument("[script] filters are not offered by Varve"));
    }
    if (!RELATIONS.contains(relation.getKey())) {
      throw value.refused("Unknown interval filter type [" + relation.getKey() + "]");
    }
    Map.Entry<String, JsonValue> rule = single(relation.getValue());
    return new Filter(relation.getKey(), rule(rule.getKey(), rule.getValue(), depth + 1));
  }

  private static Mode mode(Fields fields) {
    String mode = fields.takeString("mode");
    boolean ordered = fields.takeBoolean("ordered", false);
    return switch (mode == null ? "" : mode.toLowerCase(Locale.ROOT)) {
      case "" -> ordered ? Mode.ORDERED : Mode.UNORDERED;
      case "ordered" -> Mode.ORDERED;
      case "unordered" -> Mode.UNORDERED;
      case "unordered_no_overlap" -> Mode.UNORDERED_NO_OVERLAP;
      default ->
          throw fields
              .object()
              .refused(
                  "Unknown mode ["
                      + mode
                      + "], expecting one of [ordered, unordered, unordered_no_overlap]");
    };
  }

  private static int expansions(Fields fields) {
    int expansions = fields.takeInt("max_expansions", DEFAULT_EXPANSIONS);
    if (expansions < 1 || expansions > 1024) {
      throw new ApiException(
          ErrorBody.illegalArgument("max_expansions [" + expansions + "] must be 1 to 1024"));
    }
    return expansions;
  }

  private static String text(Fields fields, String name) {
    String text = fields.takeString(name);
    if (text == null) {
      throw new ApiException(ErrorBody.illegalArgument("Required [" + name + "]"));
    }
    return text;
  }
}
