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
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses prefix, wildcard, regular expression and fuzzy queries. */
final class PatternQueries {

  /** Lucene's flags of regular expressions by their names in OpenSearch. */
  private static final Map<String, Integer> FLAGS =
      Map.of(
          "INTERSECTION", 0x0001,
          "COMPLEMENT", 0x0002,
          "EMPTY", 0x0004,
          "ANYSTRING", 0x0008,
          "AUTOMATON", 0x0010,
          "INTERVAL", 0x0020,
          "NONE", 0x0000,
          "ALL", 0xff);

  private static final int ALL_FLAGS = 0xff;
  static final int DEFAULT_DETERMINIZED_STATES = 10_000;

  private PatternQueries() {}

  /** The value under the field: the pattern itself, or an object that contains it. */
  private record Given(String field, Fields fields, String value) {

    static Given of(Fields outer, String query, String... names) {
      Map.Entry<String, JsonValue> only = onlyField(outer, query);
      return switch (only.getValue()) {
        case Scalar scalar ->
            new Given(
                only.getKey(),
                new Fields(query, new Obj(scalar.at(), Map.of())),
                text(scalar.value()));
        case Obj object -> {
          Fields fields = new Fields(query, object);
          Object value = null;
          for (String name : names) {
            Object one = fields.takeScalar(name);
            value = one == null ? value : one;
          }
          yield new Given(only.getKey(), fields, text(value));
        }
        case Arr array ->
            throw array.refused("[" + query + "] query does not support [" + only.getKey() + "]");
      };
    }

    private static String text(@Nullable Object value) {
      if (value == null) {
        throw new ApiException(ErrorBody.illegalArgument("value cannot be null"));
      }
      return value.toString();
    }
  }

  static Query prefix(Fields outer) {
    Given given = Given.of(outer, "prefix", "value");
    Fields fields = given.fields;
    boolean caseInsensitive = fields.takeBoolean("case_insensitive", false);
    String rewrite = rewrite(fields);
    return ended(
        fields,
        new PatternQuery.Prefix(given.field, given.value, caseInsensitive, rewrite, boost(fields)));
  }

  static Query wildcard(Fields outer) {
    Given given = Given.of(outer, "wildcard", "wildcard", "value");
    Fields fields = given.fields;
    boolean caseInsensitive = fields.takeBoolean("case_insensitive", false);
    String rewrite = rewrite(fields);
    return ended(
        fields,
        new PatternQuery.Wildcard(
            given.field, given.value, caseInsensitive, rewrite, boost(fields)));
  }

  static Query regexp(Fields outer) {
    Given given = Given.of(outer, "regexp", "value");
    Fields fields = given.fields;
    int flags = flags(fields);
    boolean caseInsensitive = fields.takeBoolean("case_insensitive", false);
    int states = fields.takeInt("max_determinized_states", DEFAULT_DETERMINIZED_STATES);
    String rewrite = rewrite(fields);
    return ended(
        fields,
        new PatternQuery.Regexp(
            given.field, given.value, flags, caseInsensitive, states, rewrite, boost(fields)));
  }

  static int flags(Fields fields) {
    int number = fields.takeInt("flags_value", -1);
    String names = fields.takeString("flags");
    if (names == null || names.isEmpty()) {
      return number < 0 ? ALL_FLAGS : number;
    }
    int flags = 0;
    for (String name : names.split("\\|", -1)) {
      Integer flag = FLAGS.get(name.strip().toUpperCase(Locale.ROOT));
      if (flag == null) {
        throw new ApiException(
            ErrorBody.illegalArgument("Unknown regexp flag [" + name.strip() + "]"));
      }
      flags |= flag;
    }
    return flags;
  }

  static Query fuzzy(Fields outer) {
    Given given = Given.of(outer, "fuzzy", "term", "value");
    Fields fields = given.fields;
    Query.Fuzzing fuzzing = fuzzing(fields, "AUTO", "rewrite");
    return ended(fields, new PatternQuery.Fuzzy(given.field, given.value, fuzzing, boost(fields)));
  }

  /**
   * @param otherwise the fuzziness when none is given
   */
  static Query.Fuzzing fuzzing(Fields fields, @Nullable String otherwise, String rewriteName) {
    String fuzziness = fuzziness(fields);
    int prefixLength = fields.takeInt("prefix_length", 0);
    int maxExpansions = fields.takeInt("max_expansions", 50);
    boolean swaps = fields.takeBoolean("transpositions", true);
    boolean swapsToo = fields.takeBoolean("fuzzy_transpositions", swaps);
    if (prefixLength < 0) {
      throw new ApiException(
          ErrorBody.illegalArgument("[" + fields.owner() + "] requires prefix_length >= 0"));
    }
    if (maxExpansions <= 0) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[" + fields.owner() + "] requires maxExpansions to be positive"));
    }
    String rewrite = fields.takeString(rewriteName);
    return new Query.Fuzzing(
        fuzziness == null ? otherwise : fuzziness,
        prefixLength,
        maxExpansions,
        swapsToo,
        rewrite == null ? null : checked(rewrite));
  }

  static @Nullable String fuzziness(Fields fields) {
    String text = fields.takeString("fuzziness");
    if (text == null) {
      return null;
    }
    String upper = text.toUpperCase(Locale.ROOT);
    if (upper.matches("AUTO|AUTO:\\d{1,9},\\d{1,9}|[012]")) {
      return upper;
    }
    if (upper.matches("[012]\\.0+")) {
      return upper.substring(0, 1);
    }
    throw new ApiException(
        ErrorBody.illegalArgument(
            "Invalid fuzziness value: ["
                + text
                + "]. Valid edit distances"
                + " are [0, 1, 2] or AUTO"));
  }

  static @Nullable String rewrite(Fields fields) {
    String rewrite = fields.takeString("rewrite");
    return rewrite == null ? null : checked(rewrite);
  }

  private static String checked(String rewrite) {
    String name = rewrite.toLowerCase(Locale.ROOT);
    boolean plain =
        switch (name) {
          case "constant_score",
              "constant_score_auto",
              "constant_score_filter",
              "constant_score_blended",
              "scoring_boolean",
              "constant_score_boolean" ->
              true;
          default -> false;
        };
    if (!plain && !name.matches("(top_terms_|top_terms_boost_|top_terms_blended_freqs_)\\d{1,9}")) {
      throw new ApiException(
          ErrorBody.illegalArgument("Failed to parse rewrite_method [" + rewrite + "]"));
    }
    return name;
  }
}
