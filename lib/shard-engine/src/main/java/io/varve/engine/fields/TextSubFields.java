package io.varve.engine.fields;

import io.varve.search.mapping.FieldMapping.LeafField;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.shingle.FixedShingleFilter;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.automaton.Operations;
import org.jspecify.annotations.Nullable;

/** The sub-fields of {@code index_prefixes} and {@code index_phrases}. */
public final class TextSubFields {

  static final FieldType PREFIX_TYPE = type(IndexOptions.DOCS);
  static final FieldType PAIR_TYPE = type(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);

  private TextSubFields() {}

  private static FieldType type(IndexOptions options) {
    FieldType type = new FieldType();
    type.setIndexOptions(options);
    type.setTokenized(true);
    type.setOmitNorms(options == IndexOptions.DOCS);
    type.freeze();
    return type;
  }

  static String prefixField(LeafField field) {
    return field.path() + "._index_prefix";
  }

  static String pairField(LeafField field) {
    return field.path() + "._index_phrase";
  }

  static Analyzer prefixes(Analyzer words, int[] lengths) {
    return wrapped(
        words, tokens -> new EdgeNGramTokenFilter(tokens, lengths[0], lengths[1], false));
  }

  static Analyzer pairs(Analyzer words) {
    return wrapped(words, tokens -> new FixedShingleFilter(tokens, 2));
  }

  private interface Wrapping {
    TokenStream over(TokenStream tokens);
  }

  private static Analyzer wrapped(Analyzer words, Wrapping wrapping) {
    return new AnalyzerWrapper(Analyzer.PER_FIELD_REUSE_STRATEGY) {
      @Override
      protected Analyzer getWrappedAnalyzer(String fieldName) {
        return words;
      }

      @Override
      protected TokenStreamComponents wrapComponents(
          String fieldName, TokenStreamComponents components) {
        return new TokenStreamComponents(
            components.getSource(), wrapping.over(components.getTokenStream()));
      }
    };
  }

  /**
   * Matches documents with a word that has this prefix; uses the indexed prefixes if they are long
   * enough.
   */
  public static Query prefix(LeafField field, String prefix) {
    int[] lengths = field.indexPrefixes();
    int length = prefix.codePointCount(0, prefix.length());
    if (lengths == null || length < lengths[0] - 1 || length > lengths[1]) {
      return new PrefixQuery(new Term(field.path(), prefix));
    }
    if (length >= lengths[0]) {
      return new ConstantScoreQuery(new TermQuery(new Term(prefixField(field), prefix)));
    }
    // The prefix is one character shorter than the shortest indexed one: a matching word has an
    // indexed prefix with one more character, or is exactly this text.
    String escaped = prefix.replaceAll("([*?\\\\])", "\\\\$1");
    Query longer =
        new WildcardQuery(
            new Term(prefixField(field), escaped + "?"), Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
    return new ConstantScoreQuery(
        new BooleanQuery.Builder()
            .add(longer, BooleanClause.Occur.SHOULD)
            .add(new TermQuery(new Term(field.path(), prefix)), BooleanClause.Occur.SHOULD)
            .build());
  }

  /** The field with word pairs for phrases without slop, if there is one. */
  public static @Nullable String phraseField(LeafField field) {
    return field.indexPhrases() ? pairField(field) : null;
  }

  /** Combines the words of an analyzer into pairs. */
  public static Analyzer phraseAnalyzer(Analyzer words) {
    return pairs(words);
  }
}
