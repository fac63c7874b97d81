package io.varve.engine.search;

import io.varve.engine.fields.FieldAnalyzers;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.Highlight.Boundary;
import io.varve.search.query.Highlight.Cutting;
import io.varve.search.query.Highlight.Options;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.miscellaneous.LimitTokenOffsetFilter;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.highlight.DefaultEncoder;
import org.apache.lucene.search.highlight.Encoder;
import org.apache.lucene.search.highlight.Highlighter;
import org.apache.lucene.search.highlight.InvalidTokenOffsetsException;
import org.apache.lucene.search.highlight.NullFragmenter;
import org.apache.lucene.search.highlight.QueryScorer;
import org.apache.lucene.search.highlight.SimpleFragmenter;
import org.apache.lucene.search.highlight.SimpleHTMLEncoder;
import org.apache.lucene.search.highlight.SimpleHTMLFormatter;
import org.apache.lucene.search.highlight.SimpleSpanFragmenter;
import org.apache.lucene.search.highlight.TextFragment;
import org.apache.lucene.search.uhighlight.CustomSeparatorBreakIterator;
import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;
import org.apache.lucene.search.uhighlight.SplittingBreakIterator;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;

/** Highlights one field of one hit with Lucene's highlighters. */
final class FieldHighlighter {

  /** Separates the values of a field: no fragment crosses it. */
  private static final char BETWEEN = 0;

  private static final int DEFAULT_MAX_OFFSET = 1_000_000;

  private final QueryContext context;
  private final LeafField field;
  private final Options options;
  private final Query query;

  FieldHighlighter(QueryContext context, LeafField field, Options options, Query query) {
    this.context = context;
    this.field = field;
    this.options = options;
    this.query = query;
  }

  List<String> mark(String id, List<String> texts) throws IOException {
    boolean plain = options.type().equals("plain");
    checkLength(id, texts, plain);
    List<String> marked = plain ? plain(texts) : unified(texts);
    int shown = options.cutting().noMatchSize();
    return marked.isEmpty() && shown > 0 ? List.of(beginning(texts.getFirst(), shown)) : marked;
  }

  /** Text with offsets in the index need not be analyzed again, so its length is not limited. */
  private void checkLength(String id, List<String> texts, boolean plain) {
    if (options.maxAnalyzerOffset() > 0 || (!plain && offsetsKept())) {
      return;
    }
    int most = context.index().number("index.highlight.max_analyzed_offset", DEFAULT_MAX_OFFSET);
    int length = texts.stream().mapToInt(String::length).sum() + texts.size() - 1;
    if (length > most) {
      throw SearchErrors.failed(
          ErrorBody.illegalArgument(
              "The length of ["
                  + field.path()
                  + "] field of ["
                  + id
                  + "] doc of ["
                  + context.index().name()
                  + "] index has exceeded ["
                  + most
                  + "] - maximum allowed to be analyzed for highlighting. This maximum can be set"
                  + " by changing the [index.highlight.max_analyzed_offset] index level setting."
                  + " For large texts, indexing with offsets or term vectors is recommended!"));
    }
  }

  private boolean offsetsKept() {
    return field.indexOptions().equals("offsets") || field.termVector().contains("offsets");
  }

  private Analyzer analyzer() {
    Analyzer analyzer =
        field.type().isText() ? FieldAnalyzers.forIndexing(field) : new KeywordAnalyzer();
    int most = options.maxAnalyzerOffset();
    return most <= 0
        ? analyzer
        : new AnalyzerWrapper(Analyzer.PER_FIELD_REUSE_STRATEGY) {
          @Override
          protected Analyzer getWrappedAnalyzer(String name) {
            return analyzer;
          }

          @Override
          protected TokenStreamComponents wrapComponents(
              String name, TokenStreamComponents components) {
            return new TokenStreamComponents(
                components.getSource(),
                new LimitTokenOffsetFilter(components.getTokenStream(), most));
          }
        };
  }

  /** An analyzer that combines those of all matched fields. */
  private Analyzer ofAll(Set<String> matched) {
    List<Analyzer> analyzers = new ArrayList<>();
    analyzers.add(analyzer());
    for (String name : matched) {
      LeafField other = context.leaf(name);
      if (other != null && other.type().isText()) {
        analyzers.add(FieldAnalyzers.forIndexing(other));
      }
    }
    return new MergedAnalyzer(analyzers);
  }

  private List<String> unified(List<String> texts) throws IOException {
    Cutting cutting = options.cutting();
    String content = String.join(String.valueOf(BETWEEN), texts);
    boolean whole = cutting.numberOfFragments() == 0;
    Set<String> matched = new HashSet<>(options.matchedFields());
    UnifiedHighlighter.Builder builder =
        UnifiedHighlighter.builderWithoutSearcher(matched.isEmpty() ? analyzer() : ofAll(matched))
            .withWeightMatches(false)
            .withBreakIterator(() -> breaks(cutting, whole))
            .withFormatter(new Fragments())
            .withMaxNoHighlightPassages(0);
    if (!matched.isEmpty()) {
      builder.withFieldMatcher(name -> name.equals(field.path()) || matched.contains(name));
    } else if (!options.requireFieldMatch()) {
      builder.withFieldMatcher(_ -> true);
    }
    if (cutting.byScore()) {
      builder.withPassageSortComparator(
          Comparator.comparingDouble((Passage passage) -> -passage.getScore())
              .thenComparingInt(Passage::getStartOffset));
    }
    Object found =
        builder
            .build()
            .highlightWithoutSearcher(
                field.path(), query, content, whole ? texts.size() : most(cutting, content));
    return found instanceof String[] fragments ? List.of(fragments) : List.of();
  }

  /**
   * The number of fragments, limited to what a text can yield, since Lucene allocates an array of
   * the requested size.
   */
  private static int most(Cutting cutting, String text) {
    return Math.min(cutting.numberOfFragments(), text.length() + 1);
  }

  private static BreakIterator breaks(Cutting cutting, boolean whole) {
    if (whole) {
      return new CustomSeparatorBreakIterator(BETWEEN);
    }
    Locale locale =
        cutting.locale() == null ? Locale.ROOT : Locale.forLanguageTag(cutting.locale());
    return new SplittingBreakIterator(
        cutting.boundary() == Boundary.WORD
            ? BreakIterator.getWordInstance(locale)
            : new BoundedBreaks(locale, cutting.fragmentSize()),
        BETWEEN);
  }

  /** Collects fragments as separate texts. */
  private final class Fragments extends PassageFormatter {

    @Override
    public Object format(Passage[] passages, String content) {
      List<String> fragments = new ArrayList<>();
      for (Passage passage : passages) {
        if (passage.getNumMatches() > 0) {
          fragments.add(fragment(passage, content));
        }
      }
      return fragments.toArray(String[]::new);
    }

    private String fragment(Passage passage, String content) {
      StringBuilder text = new StringBuilder();
      int at = passage.getStartOffset();
      int end = passage.getEndOffset();
      while (end > at && content.charAt(end - 1) == BETWEEN) {
        end--;
      }
      for (int i = 0; i < passage.getNumMatches(); i++) {
        int from = passage.getMatchStarts()[i];
        int to = Math.min(passage.getMatchEnds()[i], end);
        if (from > at) {
          text.append(encoded(content.substring(at, from)));
        }
        if (to > at) {
          text.append(options.tags().before().getFirst())
              .append(encoded(content.substring(Math.max(at, from), to)))
              .append(options.tags().after().getFirst());
          at = to;
        }
      }
      return text.append(encoded(content.substring(at, Math.max(at, end)))).toString().strip();
    }
  }

  private Encoder encoder() {
    return options.encodeHtml() ? new SimpleHTMLEncoder() : new DefaultEncoder();
  }

  private String encoded(String text) {
    return encoder().encodeText(text);
  }

  private List<String> plain(List<String> texts) throws IOException {
    Cutting cutting = options.cutting();
    Highlighter highlighter = plainHighlighter(cutting);
    List<TextFragment> found = new ArrayList<>();
    for (String whole : texts) {
      int limit = options.maxAnalyzerOffset();
      String text = limit > 0 && whole.length() > limit ? whole.substring(0, limit) : whole;
      addFragments(highlighter, text, Math.max(1, most(cutting, text)), found);
    }
    if (cutting.byScore()) {
      found.sort(Comparator.comparingDouble((TextFragment fragment) -> -fragment.getScore()));
    } else {
      found.sort(Comparator.comparingInt(TextFragment::getFragNum));
    }
    return found.stream()
        .limit(cutting.numberOfFragments() == 0 ? found.size() : cutting.numberOfFragments())
        .map(TextFragment::toString)
        .toList();
  }

  private Highlighter plainHighlighter(Cutting cutting) {
    QueryScorer scorer = new QueryScorer(query, options.requireFieldMatch() ? field.path() : null);
    scorer.setExpandMultiTermQuery(true);
    Highlighter highlighter =
        new Highlighter(
            new SimpleHTMLFormatter(
                options.tags().before().getFirst(), options.tags().after().getFirst()),
            encoder(),
            scorer);
    highlighter.setTextFragmenter(
        cutting.numberOfFragments() == 0
            ? new NullFragmenter()
            : cutting.wholeSpans()
                ? new SimpleSpanFragmenter(scorer, cutting.fragmentSize())
                : new SimpleFragmenter(cutting.fragmentSize()));
    highlighter.setMaxDocCharsToAnalyze(Integer.MAX_VALUE);
    return highlighter;
  }

  private void addFragments(Highlighter highlighter, String text, int most, List<TextFragment> to)
      throws IOException {
    try {
      TokenStream tokens = analyzer().tokenStream(field.path(), text);
      for (TextFragment fragment : highlighter.getBestTextFragments(tokens, text, false, most)) {
        if (fragment != null && fragment.getScore() > 0) {
          to.add(fragment);
        }
      }
    } catch (InvalidTokenOffsetsException e) {
      throw new IOException("a token has offsets outside of its text", e);
    }
  }

  /** The longest beginning of the text that ends at a word boundary and has at most this size. */
  private String beginning(String text, int size) {
    if (text.length() <= size) {
      return encoded(text);
    }
    BreakIterator words = BreakIterator.getWordInstance(Locale.ROOT);
    words.setText(text);
    int end = words.preceding(size + 1);
    return encoded(text.substring(0, Math.max(0, end)));
  }
}
