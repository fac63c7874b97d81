package io.varve.analysis;

import java.io.IOException;
import java.io.StringReader;
import java.text.ParseException;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.synonym.SolrSynonymParser;
import org.apache.lucene.analysis.synonym.SynonymFilter;
import org.apache.lucene.analysis.synonym.SynonymGraphFilter;
import org.apache.lucene.analysis.synonym.SynonymMap;
import org.apache.lucene.analysis.synonym.WordnetSynonymParser;
import org.apache.lucene.util.CharsRef;
import org.apache.lucene.util.CharsRefBuilder;

/**
 * A synonym filter. The words of its rules are analyzed by the parts of the chain that precede the
 * filter.
 */
final class Synonyms implements TokenFilterPart {

  private final ComponentOptions options;
  private final boolean graph;
  private final SynonymMap map;

  private Synonyms(ComponentOptions options, boolean graph, Analyzer words) {
    this.options = options;
    this.graph = graph;
    this.map = read(options, words);
  }

  static Synonyms of(ComponentOptions options, boolean graph) {
    options.refuseFiles("synonyms_path");
    if (options.list("synonyms") == null) {
      throw AnalysisException.illegal(
          "synonym requires either `synonyms` or `synonyms_path` to be configured");
    }
    return new Synonyms(options, graph, new WhitespaceAnalyzer());
  }

  @Override
  public Synonyms behind(Analyzer before) {
    return new Synonyms(options, graph, before);
  }

  @Override
  @SuppressWarnings("deprecation") // deprecated in Lucene, but part of OpenSearch's API
  public TokenStream over(TokenStream tokens) {
    if (map.fst == null) {
      return tokens;
    }
    return graph
        ? new SynonymGraphFilter(tokens, map, false)
        : new SynonymFilter(tokens, map, false);
  }

  private static SynonymMap read(ComponentOptions options, Analyzer words) {
    List<String> rules = options.list("synonyms", List.of());
    boolean expand = options.flag("expand", true);
    Leniency leniency = new Leniency(options.flag("lenient", false));
    boolean wordnet = options.text("format", "").equalsIgnoreCase("wordnet");
    try {
      SynonymMap.Parser parser =
          wordnet
              ? new LenientWordnet(expand, words, leniency)
              : new LenientSolr(expand, words, leniency);
      parser.parse(new StringReader(String.join("\n", rules)));
      return parser.build();
    } catch (IOException | ParseException | IllegalArgumentException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw AnalysisException.illegal(
          "failed to build synonyms",
          new IllegalArgumentException(String.valueOf(cause.getMessage()), e));
    }
  }

  @FunctionalInterface
  private interface Analyzing {
    CharsRef analyze() throws IOException;
  }

  /** Determines whether a rule whose words are removed by analysis is refused or ignored. */
  private record Leniency(boolean lenient) {
    CharsRef words(Analyzing analyzing) throws IOException {
      try {
        return analyzing.analyze();
      } catch (IllegalArgumentException e) {
        if (lenient) {
          return new CharsRef("");
        }
        throw e;
      }
    }

    boolean takes(CharsRef input, CharsRef output) {
      return !lenient || (input.length > 0 && output.length > 0);
    }
  }

  private static final class LenientSolr extends SolrSynonymParser {
    private final Leniency leniency;

    LenientSolr(boolean expand, Analyzer words, Leniency leniency) {
      super(true, expand, words);
      this.leniency = leniency;
    }

    @Override
    public CharsRef analyze(String text, CharsRefBuilder reuse) throws IOException {
      return leniency.words(() -> super.analyze(text, reuse));
    }

    @Override
    public void add(CharsRef input, CharsRef output, boolean includeOriginal) {
      if (leniency.takes(input, output)) {
        super.add(input, output, includeOriginal);
      }
    }
  }

  private static final class LenientWordnet extends WordnetSynonymParser {
    private final Leniency leniency;

    LenientWordnet(boolean expand, Analyzer words, Leniency leniency) {
      super(true, expand, words);
      this.leniency = leniency;
    }

    @Override
    public CharsRef analyze(String text, CharsRefBuilder reuse) throws IOException {
      return leniency.words(() -> super.analyze(text, reuse));
    }

    @Override
    public void add(CharsRef input, CharsRef output, boolean includeOriginal) {
      if (leniency.takes(input, output)) {
        super.add(input, output, includeOriginal);
      }
    }
  }
}
