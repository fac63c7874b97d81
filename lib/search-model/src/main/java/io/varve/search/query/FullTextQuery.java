package io.varve.search.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query that analyzes a text, other than those of the {@code match} family. */
public sealed interface FullTextQuery extends Query {

  record MatchPhrasePrefix(
      String field,
      Object text,
      int slop,
      int maxExpansions,
      @Nullable String analyzer,
      boolean zeroTermsAll,
      float boost)
      implements FullTextQuery {}

  record MatchBoolPrefix(String field, Object text, Query.TextOptions options, float boost)
      implements FullTextQuery {}

  record CombinedFields(
      List<Query.FieldBoost> fields, Object text, Query.TextOptions options, float boost)
      implements FullTextQuery {
    public CombinedFields {
      fields = List.copyOf(fields);
    }
  }

  /**
   * The query string syntax: {@code field:word}, {@code AND}, and so on.
   *
   * @param fields with boosts; empty for the default fields of the index
   * @param type how the scores of several fields are combined
   */
  record QueryString(
      String text, List<Query.FieldBoost> fields, Query.FieldsType type, Syntax syntax, float boost)
      implements FullTextQuery {
    public QueryString {
      fields = List.copyOf(fields);
    }
  }

  /**
   * Options of {@link QueryString}.
   *
   * @param maxDeterminizedStates limit on the complexity of a regular expression
   */
  record Syntax(
      Query.TextOptions options,
      @Nullable String quoteAnalyzer,
      @Nullable String quoteFieldSuffix,
      @Nullable Boolean allowLeadingWildcard,
      boolean analyzeWildcard,
      boolean escape,
      int phraseSlop,
      float tieBreaker,
      int maxDeterminizedStates,
      @Nullable String timeZone,
      @Nullable String rewrite) {

    public static final Syntax DEFAULT =
        new Syntax(
            Query.TextOptions.DEFAULT, null, null, null, false, false, 0, 0, 10_000, null, null);
  }

  /**
   * The simple query string syntax, which accepts every text: parts that can't be parsed are
   * treated as words.
   *
   * @param flags operators of Lucene's {@code SimpleQueryParser}, as bits
   */
  record SimpleQueryString(
      String text,
      List<Query.FieldBoost> fields,
      int flags,
      Query.TextOptions options,
      @Nullable String quoteFieldSuffix,
      boolean analyzeWildcard,
      float boost)
      implements FullTextQuery {
    public SimpleQueryString {
      fields = List.copyOf(fields);
    }
  }

  /**
   * Documents that share words with texts or with other documents.
   *
   * @param fields empty for the default fields of the index
   */
  record MoreLikeThis(
      List<String> fields,
      List<String> likeTexts,
      List<LikeDocument> likeDocuments,
      List<String> unlikeTexts,
      LikeOptions options,
      float boost)
      implements FullTextQuery {
    public MoreLikeThis {
      fields = List.copyOf(fields);
      likeTexts = List.copyOf(likeTexts);
      likeDocuments = List.copyOf(likeDocuments);
      unlikeTexts = List.copyOf(unlikeTexts);
    }
  }

  /**
   * A document from which words are taken.
   *
   * @param index null for the index that is searched
   */
  record LikeDocument(@Nullable String index, String id, @Nullable String routing) {}

  record LikeOptions(
      int minTermFrequency,
      int maxQueryTerms,
      int minDocumentFrequency,
      int maxDocumentFrequency,
      int minWordLength,
      int maxWordLength,
      List<String> stopWords,
      @Nullable String analyzer,
      String minimumShouldMatch,
      float boostTerms,
      boolean include) {
    public LikeOptions {
      stopWords = List.copyOf(stopWords);
    }
  }
}
