package io.varve.engine.search;

import io.varve.search.query.Query.Analysis;
import io.varve.search.query.Query.Fuzzing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.MultiTermQuery.RewriteMethod;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.QueryBuilder;

/** Builds queries from analyzed text, optionally with fuzzy terms. */
class TextQueryBuilder extends QueryBuilder {

  /** The terms at one position of a text. */
  record Position(int position, List<BytesRef> terms) {}

  private final Fuzzing fuzzing;

  TextQueryBuilder(Analyzer analyzer, Fuzzing fuzzing, Analysis analysis) {
    super(analyzer);
    this.fuzzing = fuzzing;
    setAutoGenerateMultiTermSynonymsPhraseQuery(analysis.synonymPhrases());
    setEnablePositionIncrements(analysis.positionIncrements());
  }

  @Override
  protected Query newTermQuery(Term term, float boost) {
    Query query = fuzzy(term, fuzzing);
    return boost == 1 ? query : new BoostQuery(query, boost);
  }

  /** Matches the term and similar ones. */
  static Query fuzzy(Term term, Fuzzing fuzzing) {
    return fuzzy(
        term,
        fuzzing,
        Rewrites.of(fuzzing.rewrite(), FuzzyQuery.defaultRewriteMethod(fuzzing.maxExpansions())));
  }

  /**
   * As above, with a rewrite method.
   *
   * @param rewrite as in {@code MultiTermQuery}
   */
  static Query fuzzy(Term term, Fuzzing fuzzing, RewriteMethod rewrite) {
    int edits = fuzzing.fuzziness() == null ? 0 : edits(fuzzing.fuzziness(), term.text());
    if (edits == 0 && !rewrite.equals(MultiTermQuery.DOC_VALUES_REWRITE)) {
      return new TermQuery(term);
    }
    return new FuzzyQuery(
        term,
        edits,
        Math.min(fuzzing.prefixLength(), term.text().length()),
        fuzzing.maxExpansions(),
        fuzzing.transpositions(),
        rewrite);
  }

  /** The maximum edit distance for a word; {@code AUTO} depends on its length. */
  static int edits(String fuzziness, String word) {
    if (!fuzziness.startsWith("AUTO")) {
      return Integer.parseInt(fuzziness);
    }
    int low = 3;
    int high = 6;
    if (fuzziness.length() > 5) {
      String[] limits = fuzziness.substring(5).split(",", -1);
      low = Integer.parseInt(limits[0]);
      high = Integer.parseInt(limits[1]);
    }
    int length = word.codePointCount(0, word.length());
    return length < low ? 0 : length < high ? 1 : 2;
  }

  /** Analyzes a text. */
  static List<Position> positions(Analyzer analyzer, String field, String text) {
    List<Position> positions = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream(field, text)) {
      TermToBytesRefAttribute term = stream.getAttribute(TermToBytesRefAttribute.class);
      PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
      stream.reset();
      int at = -1;
      while (stream.incrementToken()) {
        int step = increment.getPositionIncrement();
        at += step;
        if (step > 0 || positions.isEmpty()) {
          positions.add(new Position(Math.max(0, at), new ArrayList<>()));
        }
        positions.getLast().terms().add(BytesRef.deepCopyOf(term.getBytesRef()));
      }
      stream.end();
    } catch (IOException e) {
      throw new UncheckedIOException("analyzing a text", e);
    }
    return positions;
  }

  /** The terms of a text. */
  static List<String> texts(Analyzer analyzer, String field, String text) {
    List<String> texts = new ArrayList<>();
    try (TokenStream stream = analyzer.tokenStream(field, text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        texts.add(term.toString());
      }
      stream.end();
    } catch (IOException e) {
      throw new UncheckedIOException("analyzing a text", e);
    }
    return texts;
  }
}
