package io.varve.engine.search;

import io.varve.rpc.ErrorBody;
import io.varve.search.query.FullTextQuery.QueryString;
import io.varve.search.query.FullTextQuery.SimpleQueryString;
import io.varve.search.query.Query.FieldBoost;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParserBase;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/**
 * Translates {@code query_string} and {@code simple_query_string}, which have a syntax of their
 * own.
 */
final class StringQueryTranslator {

  private final QueryContext context;
  private final QueryTranslator translator;

  StringQueryTranslator(QueryContext context, QueryTranslator translator) {
    this.context = context;
    this.translator = translator;
  }

  Query queryString(QueryString query) {
    if (query.text().isBlank()) {
      return new MatchNoDocsQuery("no terms");
    }
    List<FieldBoost> fields =
        query.fields().isEmpty() ? translator.defaultFields() : query.fields();
    ParenthesisDepth.check("query_string", query.text(), context.index());
    QueryStringParser parser = new QueryStringParser(context, translator, query, fields);
    String text = query.syntax().escape() ? QueryParserBase.escape(query.text()) : query.text();
    try {
      Query parsed = parser.parse(text);
      String minimum = query.syntax().options().minimumShouldMatch();
      return minimum == null ? parsed : TextQueryTranslator.withMinimum(parsed, minimum);
    } catch (IndexSearcher.TooManyClauses e) {
      throw e;
    } catch (ParseException e) {
      String reason = String.valueOf(e.getMessage());
      throw SearchErrors.parsing(query.text(), ErrorBody.of(400, "parse_exception", reason));
    }
  }

  Query simpleQueryString(SimpleQueryString query) {
    if (query.text().isBlank()) {
      return new MatchNoDocsQuery("no terms");
    }
    List<FieldBoost> names = query.fields().isEmpty() ? translator.defaultFields() : query.fields();
    Map<String, Float> weights = new LinkedHashMap<>();
    for (MultiFieldQueryTranslator.Wanted wanted :
        translator.multiField().wanted(names, query.options().lenient())) {
      weights.put(wanted.field(), wanted.boost());
    }
    if (weights.isEmpty()) {
      return new MatchNoDocsQuery("no fields to search");
    }
    ParenthesisDepth.check("simple_query_string", query.text(), context.index());
    Query parsed =
        new SimpleQueryStringParser(context, translator, query, weights).parse(query.text());
    if (parsed == null) {
      return new MatchNoDocsQuery("no terms");
    }
    String minimum = query.options().minimumShouldMatch();
    return minimum == null ? parsed : TextQueryTranslator.withMinimum(parsed, minimum);
  }
}
