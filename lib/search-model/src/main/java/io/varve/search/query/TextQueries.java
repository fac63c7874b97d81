package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;
import static io.varve.search.query.QueryParser.onlyField;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.Query.Operator;
import io.varve.search.query.Query.TextOptions;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses queries that analyze a text. */
final class TextQueries {

  private TextQueries() {}

  /** The value under the field: the text itself, or an object that contains it. */
  private record Given(String field, Fields fields, Object text) {

    static Given of(Fields outer, String query) {
      Map.Entry<String, JsonValue> only = onlyField(outer, query);
      return switch (only.getValue()) {
        case Scalar scalar ->
            new Given(
                only.getKey(),
                new Fields(query, new Obj(scalar.at(), Map.of())),
                present(scalar.value(), query));
        case Obj object -> {
          Fields fields = new Fields(query, object);
          yield new Given(only.getKey(), fields, TextQueries.text(fields, query));
        }
        case JsonValue.Arr array ->
            throw array.refused(
                "[" + query + "] unknown token [START_ARRAY] after [" + only.getKey() + "]");
      };
    }
  }

  static Query match(Fields outer) {
    Given given = Given.of(outer, "match");
    Fields fields = given.fields;
    TextOptions options = options(fields);
    return ended(fields, new Query.Match(given.field, given.text, options, boost(fields)));
  }

  static Query matchPhrase(Fields outer) {
    Given given = Given.of(outer, "match_phrase");
    Fields fields = given.fields;
    int slop = slop(fields);
    String analyzer = fields.takeString("analyzer");
    boolean zeroTermsAll = zeroTermsAll(fields);
    return ended(
        fields,
        new Query.MatchPhrase(
            given.field,
            given.text,
            slop,
            Query.Analysis.by(analyzer),
            zeroTermsAll,
            boost(fields)));
  }

  /** The analysis options of full-text queries. */
  static Query.Analysis analysis(Fields fields, @Nullable String analyzer) {
    return new Query.Analysis(
        analyzer, fields.takeBoolean("auto_generate_synonyms_phrase_query", true), true);
  }

  static Query matchPhrasePrefix(Fields outer) {
    Given given = Given.of(outer, "match_phrase_prefix");
    Fields fields = given.fields;
    int slop = slop(fields);
    int expansions = expansions(fields);
    String analyzer = fields.takeString("analyzer");
    boolean zeroTermsAll = zeroTermsAll(fields);
    return ended(
        fields,
        new FullTextQuery.MatchPhrasePrefix(
            given.field, given.text, slop, expansions, analyzer, zeroTermsAll, boost(fields)));
  }

  static Query matchBoolPrefix(Fields outer) {
    Given given = Given.of(outer, "match_bool_prefix");
    Fields fields = given.fields;
    TextOptions options = options(fields);
    return ended(
        fields, new FullTextQuery.MatchBoolPrefix(given.field, given.text, options, boost(fields)));
  }

  static int slop(Fields fields) {
    int slop = fields.takeInt("slop", 0);
    if (slop < 0) {
      throw new ApiException(ErrorBody.illegalArgument("No negative slop allowed."));
    }
    return slop;
  }

  private static int expansions(Fields fields) {
    int expansions = fields.takeInt("max_expansions", 50);
    if (expansions < 0) {
      throw new ApiException(ErrorBody.illegalArgument("No negative maxExpansions allowed."));
    }
    return expansions;
  }

  static TextOptions options(Fields fields) {
    Operator operator = operator(fields.takeString("operator"), fields.owner());
    String minimum = fields.takeString("minimum_should_match");
    Query.Fuzzing fuzzing = PatternQueries.fuzzing(fields, null, "fuzzy_rewrite");
    String analyzer = fields.takeString("analyzer");
    boolean lenient = fields.takeBoolean("lenient", false);
    return new TextOptions(
        operator, minimum, fuzzing, analysis(fields, analyzer), lenient, zeroTermsAll(fields));
  }

  static boolean zeroTermsAll(Fields fields) {
    String zeroTerms = fields.takeString("zero_terms_query");
    return switch (zeroTerms == null ? "none" : zeroTerms.toLowerCase(Locale.ROOT)) {
      case "none", "null" -> false;
      case "all" -> true;
      default ->
          throw fields.object().refused("Unsupported zero_terms_query value [" + zeroTerms + "]");
    };
  }

  static Operator operator(@Nullable String name, String query) {
    if (name == null || name.equalsIgnoreCase("or")) {
      return Operator.OR;
    }
    if (name.equalsIgnoreCase("and")) {
      return Operator.AND;
    }
    throw new ApiException(
        ErrorBody.illegalArgument("No enum constant of an operator for [" + query + "]: " + name));
  }

  static Object text(Fields fields, String query) {
    return present(fields.takeScalar("query"), query);
  }

  private static Object present(@Nullable Object text, String query) {
    if (text == null) {
      throw new ApiException(ErrorBody.illegalArgument("[" + query + "] requires query value"));
    }
    return text;
  }
}
