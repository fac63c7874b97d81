package io.varve.engine.search;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.FullTextQuery;
import io.varve.search.query.PatternQuery;
import io.varve.search.query.Query.Match;
import io.varve.search.query.Query.MatchPhrase;
import io.varve.search.query.Query.Range;
import io.varve.search.query.Query.Term;
import io.varve.search.query.Query.TextOptions;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/**
 * Translates queries of one field according to its type: text is analyzed, other values are
 * compared. Queries on metadata fields are translated separately.
 */
final class FieldQueryTranslator {

  private final QueryContext context;
  private final RangeQueries ranges;
  private final ValueQueries values;
  private final TextQueryTranslator texts;
  private final PatternQueryTranslator patterns;

  FieldQueryTranslator(QueryContext context, PatternQueryTranslator patterns) {
    this.context = context;
    this.ranges = new RangeQueries(context.nowMillis());
    this.values = new ValueQueries(ranges);
    this.texts = new TextQueryTranslator(context);
    this.patterns = patterns;
  }

  /** An unmapped field matches no document. */
  private Query onField(String name, Function<LeafField, Query> translation) {
    LeafField field = context.leaf(name);
    if (field == null) {
      return new MatchNoDocsQuery("unmapped field [" + name + "]");
    }
    try {
      return translation.apply(field);
    } catch (ValueException e) {
      throw SearchErrors.of(e);
    }
  }

  Query match(Match match) {
    if (MetaQueries.knows(match.field())) {
      return new MetaQueries(context).term(match.field(), match.text());
    }
    return onField(
        match.field(),
        field -> {
          try {
            return field.type().isText()
                ? texts.words(
                    QueryContext.searchable(field), match.text().toString(), match.options())
                : value(field, match);
          } catch (ValueException e) {
            if (match.options().lenient()) {
              return new MatchNoDocsQuery("the field's type can't represent the value");
            }
            throw e;
          }
        });
  }

  private Query value(LeafField field, Match match) {
    if (match.options().fuzzing().fuzziness() != null && field.type() == FieldType.KEYWORD) {
      return patterns.fuzzy(
          field, new PatternQuery.Fuzzy(field.path(), match.text(), match.options().fuzzing(), 1));
    }
    QueryContext.searchable(field);
    return field.splitQueriesOnWhitespace() && match.text() instanceof String text
        ? eachWord(field, text, match.options())
        : values.one(field, match.text());
  }

  /** Treats each word of the text as a value of the field. */
  private Query eachWord(LeafField field, String text, TextOptions options) {
    BooleanQuery.Builder words = new BooleanQuery.Builder();
    String[] split = text.strip().split("\\s+", -1);
    for (String word : split) {
      words.add(values.one(field, word), TextQueryTranslator.occur(options));
    }
    String minimum = options.minimumShouldMatch();
    return minimum == null
        ? words.build()
        : TextQueryTranslator.withMinimum(words.build(), minimum);
  }

  Query phrase(MatchPhrase phrase) {
    if (MetaQueries.knows(phrase.field())) {
      return new MetaQueries(context).term(phrase.field(), phrase.text());
    }
    return onField(
        phrase.field(),
        field ->
            field.type().isText()
                ? texts.phrase(
                    QueryContext.searchable(field),
                    phrase.text().toString(),
                    phrase.slop(),
                    phrase.analysis(),
                    phrase.zeroTermsAll())
                : values.one(QueryContext.searchable(field), phrase.text()));
  }

  Query term(Term term) {
    if (MetaQueries.knows(term.field())) {
      return new MetaQueries(context).term(term.field(), term.value());
    }
    return onField(
        term.field(),
        field -> {
          boolean byTerms = field.type().isText() || field.type().isKeyword();
          return term.caseInsensitive() && byTerms
              ? patterns.term(field, term.value().toString())
              : values.one(QueryContext.searchable(field), term.value());
        });
  }

  Query terms(String name, List<Object> given) {
    checkCount("terms", "Terms", given.size());
    if (MetaQueries.knows(name)) {
      return new MetaQueries(context).terms(name, given);
    }
    return onField(name, field -> values.any(QueryContext.searchable(field), given));
  }

  Query ids(List<String> given) {
    checkCount("ids", "Ids", given.size());
    return MetaQueries.ids(given);
  }

  private void checkCount(String what, String query, int count) {
    int most = context.index().number("index.max_terms_count", 65_536);
    if (count > most) {
      throw SearchErrors.failedToCreate(
          ErrorBody.illegalArgument(
              "The number of "
                  + what
                  + " ["
                  + count
                  + "] used in the "
                  + query
                  + " Query request has exceeded the allowed maximum of ["
                  + most
                  + "]. This maximum can be set by changing the [index.max_terms_count] index"
                  + " level setting."));
    }
  }

  Query range(Range range) {
    if (MetaQueries.isNumber(range.field())) {
      return MetaQueries.range(range);
    }
    return onField(
        range.field(),
        field -> {
          if (field.type().isText() || field.type().isKeyword()) {
            context.requireExpensive("[range] queries on [text] or [keyword] fields");
          }
          return ranges.of(QueryContext.searchable(field), range);
        });
  }

  Query pattern(PatternQuery query) {
    if (query instanceof PatternQuery.Regexp regexp) {
      patterns.checkLength(regexp.pattern());
    }
    if (query.field().equals("_index")) {
      return new MetaQueries(context).indexLike(query);
    }
    return onField(
        query.field(),
        field ->
            switch (query) {
              case PatternQuery.Prefix prefix -> patterns.prefix(field, prefix);
              case PatternQuery.Wildcard wildcard -> patterns.wildcard(field, wildcard);
              case PatternQuery.Regexp regexp -> patterns.regexp(field, regexp);
              case PatternQuery.Fuzzy fuzzy -> patterns.fuzzy(field, fuzzy);
            });
  }

  Query phrasePrefix(FullTextQuery.MatchPhrasePrefix prefix) {
    return onText(
        prefix.field(),
        prefix.text(),
        field ->
            texts.phrasePrefix(
                field,
                prefix.text().toString(),
                prefix.slop(),
                prefix.maxExpansions(),
                prefix.analyzer(),
                prefix.zeroTermsAll()));
  }

  Query boolPrefix(FullTextQuery.MatchBoolPrefix prefix) {
    return onText(
        prefix.field(),
        prefix.text(),
        field -> texts.boolPrefix(field, prefix.text().toString(), prefix.options()));
  }

  /**
   * Translates a phrase with a prefix. A field that is not text has one term per value, so it is
   * searched for terms with the prefix.
   */
  private Query onText(String name, Object text, Function<LeafField, Query> onText) {
    return onField(
        name,
        field ->
            field.type().isText()
                ? onText.apply(QueryContext.searchable(field))
                : pattern(new PatternQuery.Prefix(name, text.toString(), false, null, 1)));
  }
}
