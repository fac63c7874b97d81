package io.varve.engine.search;

import io.varve.engine.fields.MappedFields;
import io.varve.engine.fields.TextSubFields;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.query.PatternQuery.Fuzzy;
import io.varve.search.query.PatternQuery.Prefix;
import io.varve.search.query.PatternQuery.Regexp;
import io.varve.search.query.PatternQuery.Wildcard;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.MultiTermQuery.RewriteMethod;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.jspecify.annotations.Nullable;

/** Translates prefix, wildcard, regexp and fuzzy queries, which match all terms with a pattern. */
final class PatternQueryTranslator {

  private final QueryContext context;

  PatternQueryTranslator(QueryContext context) {
    this.context = context;
  }

  Query prefix(LeafField field, Prefix prefix) {
    if (field.indexPrefixes() != null && !prefix.caseInsensitive() && prefix.rewrite() == null) {
      return TextSubFields.prefix(field, prefix.value());
    }
    context.requireExpensive(
        "[prefix] queries",
        " For optimised prefix queries on text fields please enable [index_prefixes].");
    requireTerms(field, "prefix");
    if (prefix.caseInsensitive()) {
      return held(field, Automatons.prefix(field.path(), prefix.value(), rewrite(field, null)));
    }
    return held(
        field,
        new PrefixQuery(
            new Term(field.path(), MappedFields.keywordTerm(field, prefix.value())),
            rewrite(field, prefix.rewrite())));
  }

  Query wildcard(LeafField field, Wildcard wildcard) {
    context.requireExpensive("[wildcard] queries");
    requireTerms(field, "wildcard");
    if (wildcard.caseInsensitive()) {
      return held(
          field, Automatons.wildcard(field.path(), wildcard.pattern(), rewrite(field, null)));
    }
    return held(
        field,
        new WildcardQuery(
            new Term(field.path(), MappedFields.keywordTerm(field, wildcard.pattern())),
            Operations.DEFAULT_DETERMINIZE_WORK_LIMIT,
            rewrite(field, wildcard.rewrite())));
  }

  /**
   * Evaluates the pattern on the value of a {@code constant_keyword}, which is in the mapping and
   * not in the index: all documents match, or none.
   */
  private static Query held(LeafField field, Query pattern) {
    if (field.type() != FieldType.CONSTANT_KEYWORD
        || !(pattern instanceof AutomatonQuery automaton)) {
      return pattern;
    }
    ByteRunAutomaton runner =
        new ByteRunAutomaton(automaton.getAutomaton(), automaton.isAutomatonBinary());
    byte[] constant = field.constant().getBytes(StandardCharsets.UTF_8);
    return ValueQueries.constant(field, _ -> runner.run(constant, 0, constant.length));
  }

  Query regexp(LeafField field, Regexp regexp) {
    checkLength(regexp.pattern());
    context.requireExpensive("[regexp] queries");
    requireTerms(field, "regexp");
    Term term = new Term(field.path(), MappedFields.keywordTerm(field, regexp.pattern()));
    int syntax = syntax(regexp.flags());
    int flags = regexp.caseInsensitive() ? RegExp.CASE_INSENSITIVE : 0;
    RewriteMethod rewrite = rewrite(field, regexp.rewrite());
    try {
      return held(
          field,
          context
              .patterns()
              .compile(
                  new RegExp(term.text(), syntax, flags),
                  regexp.maxDeterminizedStates(),
                  states ->
                      new RegexpQuery(
                          term, syntax, flags, RegexpQuery.DEFAULT_PROVIDER, states, rewrite)));
    } catch (IllegalArgumentException e) {
      throw SearchErrors.failedToCreate(ErrorBody.illegalArgument(String.valueOf(e.getMessage())));
    }
  }

  /** Converts the flags of the query DSL to Lucene's, which differ for the complement. */
  @SuppressWarnings("deprecation") // deprecated in Lucene, but part of OpenSearch's API
  static int syntax(int flags) {
    int lucene = flags & (RegExp.ALL & ~2);
    return (flags & 2) == 0 ? lucene : lucene | RegExp.DEPRECATED_COMPLEMENT;
  }

  /** The pattern's length is checked before the field is resolved, mapped or not. */
  void checkLength(String pattern) {
    try {
      context.patterns().checkLength(pattern);
    } catch (ApiException e) {
      throw SearchErrors.failedToCreate(e.error());
    }
  }

  Query fuzzy(LeafField field, Fuzzy fuzzy) {
    context.requireExpensive("[fuzzy] queries");
    if (!field.type().isText() && !field.type().isKeyword()) {
      throw SearchErrors.failedToCreate(
          ErrorBody.illegalArgument(
              "Can only use fuzzy queries on keyword and text fields - not on ["
                  + field.path()
                  + "] which is of type ["
                  + field.type().json()
                  + "]"));
    }
    Term term = new Term(field.path(), MappedFields.keywordTerm(field, fuzzy.value().toString()));
    if (field.indexed()) {
      return TextQueryBuilder.fuzzy(term, fuzzy.fuzzing());
    }
    if (!field.docValues()) {
      throw QueryContext.notIndexed(field);
    }
    return TextQueryBuilder.fuzzy(term, fuzzy.fuzzing(), MultiTermQuery.DOC_VALUES_REWRITE);
  }

  /** Translates a case-insensitive term query. */
  Query term(LeafField field, String text) {
    requireTerms(field, "term");
    return Automatons.term(field.path(), text, rewrite(field, null));
  }

  /**
   * Selects the rewrite method. A field that is not indexed is searched by the terms of its doc
   * values.
   */
  private static RewriteMethod rewrite(LeafField field, @Nullable String wanted) {
    return field.indexed()
        ? Rewrites.of(wanted, MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE)
        : MultiTermQuery.DOC_VALUES_REWRITE;
  }

  private static void requireTerms(LeafField field, String query) {
    if (!field.type().isText() && !field.type().isKeyword()) {
      throw SearchErrors.shard(
          "Can only use "
              + query
              + " queries on keyword, text and wildcard fields - not on ["
              + field.path()
              + "] which is of type ["
              + field.type().json()
              + "]");
    }
    if (!field.indexed() && !field.docValues()) {
      throw QueryContext.notIndexed(field);
    }
  }
}
