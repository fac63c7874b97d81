package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.FullTextQuery.QueryString;
import io.varve.search.query.FullTextQuery.SimpleQueryString;
import io.varve.search.query.FullTextQuery.Syntax;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.FieldsType;
import io.varve.search.query.Query.TextOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Parses queries with their own syntax. */
final class StringQueries {

  /** The operators of Lucene's simple syntax by their names in OpenSearch. */
  private static final Map<String, Integer> FLAGS =
      Map.ofEntries(
          Map.entry("ALL", -1),
          Map.entry("NONE", 0),
          Map.entry("AND", 1),
          Map.entry("NOT", 2),
          Map.entry("OR", 4),
          Map.entry("PREFIX", 8),
          Map.entry("PHRASE", 16),
          Map.entry("PRECEDENCE", 32),
          Map.entry("ESCAPE", 64),
          Map.entry("WHITESPACE", 128),
          Map.entry("FUZZY", 256),
          Map.entry("NEAR", 512),
          Map.entry("SLOP", 512));

  private StringQueries() {}

  static Query queryString(Fields fields) {
    String text = fields.takeString("query");
    String defaultField = fields.takeString("default_field");
    refuseNullFields(fields);
    List<FieldBoost> names = MultiFieldQueries.fieldBoosts(fields);
    FieldsType type = MultiFieldQueries.fieldsType(fields.takeString("type"), fields.object());
    // Searching all fields must be lenient, because many types can't represent the words.
    boolean everywhere = defaultField == null && names.isEmpty();
    Syntax syntax = syntax(fields, type, everywhere);
    float boost = boost(fields);
    if (text == null) {
      fields.end();
      throw fields.object().refused("[query_string] must be provided with a [query]");
    }
    if (defaultField != null && !names.isEmpty()) {
      throw new ApiException(
          ErrorBody.of(
              400,
              "action_request_validation_exception",
              "Validation Failed: 1: [query_string] cannot use [fields] parameter in conjunction"
                  + " with [default_field];"));
    }
    return ended(
        fields,
        new QueryString(
            text,
            defaultField == null ? names : List.of(new FieldBoost(defaultField, Query.NO_BOOST)),
            type,
            syntax,
            boost));
  }

  private static void refuseNullFields(Fields fields) {
    if (fields.object().fields().get("fields") instanceof Arr names
        && names.items().stream().anyMatch(n -> n instanceof Scalar s && s.value() == null)) {
      throw fields.object().refused("[query_string] field name in [fields] cannot be null");
    }
  }

  private static Syntax syntax(Fields fields, FieldsType type, boolean everywhere) {
    Query.Operator operator =
        TextQueries.operator(fields.takeString("default_operator"), "query_string");
    String minimum = fields.takeString("minimum_should_match");
    Query.Fuzzing fuzzing = fuzzing(fields);
    String analyzer = fields.takeString("analyzer");
    boolean lenient = fields.takeBoolean("lenient", everywhere);
    Query.Analysis analysis =
        new Query.Analysis(
            analyzer,
            fields.takeBoolean("auto_generate_synonyms_phrase_query", true),
            fields.takeBoolean("enable_position_increments", true));
    TextOptions options = new TextOptions(operator, minimum, fuzzing, analysis, lenient, false);
    boolean leadingGiven = fields.object().fields().containsKey("allow_leading_wildcard");
    boolean leading = fields.takeBoolean("allow_leading_wildcard", true);
    return new Syntax(
        options,
        fields.takeString("quote_analyzer"),
        fields.takeString("quote_field_suffix"),
        leadingGiven ? (Boolean) leading : null,
        fields.takeBoolean("analyze_wildcard", false),
        fields.takeBoolean("escape", false),
        fields.takeInt("phrase_slop", 0),
        fields.takeFloat("tie_breaker", type == FieldsType.MOST_FIELDS ? 1 : 0),
        fields.takeInt("max_determinized_states", PatternQueries.DEFAULT_DETERMINIZED_STATES),
        fields.takeString("time_zone"),
        PatternQueries.rewrite(fields));
  }

  private static Query.Fuzzing fuzzing(Fields fields) {
    String fuzziness = PatternQueries.fuzziness(fields);
    return new Query.Fuzzing(
        fuzziness == null ? "AUTO" : fuzziness,
        fields.takeInt("fuzzy_prefix_length", 0),
        fields.takeInt("fuzzy_max_expansions", 50),
        fields.takeBoolean("fuzzy_transpositions", true),
        fields.takeString("fuzzy_rewrite"));
  }

  static Query simpleQueryString(Fields fields) {
    String text = fields.takeString("query");
    List<FieldBoost> names = MultiFieldQueries.fieldBoosts(fields);
    Query.Operator operator =
        TextQueries.operator(fields.takeString("default_operator"), "simple_query_string");
    String minimum = fields.takeString("minimum_should_match");
    Query.Fuzzing fuzzing = fuzzing(fields);
    String analyzer = fields.takeString("analyzer");
    boolean lenient = fields.takeBoolean("lenient", names.isEmpty());
    TextOptions options =
        new TextOptions(
            operator, minimum, fuzzing, TextQueries.analysis(fields, analyzer), lenient, false);
    int flags = flags(fields);
    String suffix = fields.takeString("quote_field_suffix");
    boolean analyzeWildcard = fields.takeBoolean("analyze_wildcard", false);
    float boost = boost(fields);
    if (text == null) {
      fields.end();
      throw fields.object().refused("[simple_query_string] query text missing");
    }
    return ended(
        fields, new SimpleQueryString(text, names, flags, options, suffix, analyzeWildcard, boost));
  }

  private static int flags(Fields fields) {
    String names = fields.takeString("flags");
    if (names == null || names.isEmpty()) {
      return -1;
    }
    if (names.matches("-?\\d{1,9}")) {
      return Integer.parseInt(names);
    }
    int flags = 0;
    for (String name : names.split("\\|", -1)) {
      Integer flag = FLAGS.get(name.strip().toUpperCase(Locale.ROOT));
      if (flag == null) {
        throw new ApiException(
            ErrorBody.illegalArgument("Unknown simple_query_string flag [" + name.strip() + "]"));
      }
      flags = flag == -1 ? -1 : flags | flag;
    }
    return flags;
  }
}
