package io.varve.search.query;

import io.varve.search.query.FullTextQuery.QueryString;
import io.varve.search.query.FullTextQuery.Syntax;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.FieldsType;
import io.varve.search.query.Query.Operator;
import io.varve.search.query.Query.TextOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the query of a URL, {@code q}, and its parameters. */
public final class UriQuery {

  private static final Query.Fuzzing FUZZING = new Query.Fuzzing("AUTO", 0, 50, true, null);

  private UriQuery() {}

  public static Query parse(
      String text, @Nullable String defaultField, @Nullable String defaultOperator) {
    Map<String, String> parameters = new HashMap<>();
    if (defaultField != null) {
      parameters.put("df", defaultField);
    }
    if (defaultOperator != null) {
      parameters.put("default_operator", defaultOperator);
    }
    return parse(text, parameters);
  }

  /**
   * Parses a query with the parameters {@code df}, {@code default_operator}, {@code analyzer} and
   * related parameters.
   */
  public static Query parse(String text, Map<String, String> parameters) {
    String field = parameters.get("df");
    Operator operator = TextQueries.operator(parameters.get("default_operator"), "query_string");
    String lenient = parameters.get("lenient");
    TextOptions options =
        new TextOptions(
            operator,
            null,
            FUZZING,
            Query.Analysis.by(parameters.get("analyzer")),
            lenient == null ? field == null : !lenient.equals("false"),
            false);
    Syntax base = Syntax.DEFAULT;
    String analyzeWildcard = parameters.get("analyze_wildcard");
    Syntax syntax =
        new Syntax(
            options,
            null,
            null,
            null,
            analyzeWildcard != null && !analyzeWildcard.equals("false"),
            false,
            0,
            0,
            base.maxDeterminizedStates(),
            null,
            null);
    return new QueryString(
        text,
        field == null ? List.of() : List.of(new FieldBoost(field, Query.NO_BOOST)),
        FieldsType.BEST_FIELDS,
        syntax,
        Query.NO_BOOST);
  }
}
