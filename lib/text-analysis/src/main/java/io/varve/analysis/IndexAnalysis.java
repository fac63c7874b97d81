package io.varve.analysis;

import io.varve.analysis.Chain.Named;
import io.varve.analysis.CharFilters.CharFilter;
import io.varve.rpc.ApiException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The analyzers of an index by name: those defined in the settings and the built-in ones. Equal
 * settings share one instance and its analyzers. Invalid settings are refused when it is created,
 * by an {@link ApiException} with OpenSearch's error text.
 */
public final class IndexAnalysis {

  public static final String DEFAULT_NAME = "default";
  public static final String DEFAULT_SEARCH = "default_search";

  private static final class Cache {
    private static final int MOST = 500;
    private static final Map<Map<String, String>, IndexAnalysis> KNOWN = new ConcurrentHashMap<>();
    // Built-in analyzers are shared by all indices to save memory.
    private static final Map<String, Analyzer> SHARED = new ConcurrentHashMap<>();
  }

  public static final IndexAnalysis DEFAULT = of(Map.of());

  private final ChainParts parts;
  private final Map<String, Analyzer> analyzers = new HashMap<>();
  private final Map<String, Analyzer> normalizers = new HashMap<>();

  private IndexAnalysis(Map<String, String> settings) {
    Limits limits = Limits.of(settings);
    Definitions defined = Definitions.in(settings);
    parts = new ChainParts(limits, defined);
    defined
        .of(Definitions.ANALYZER)
        .forEach((name, options) -> analyzers.put(name, analyzer(options)));
    defined
        .of(Definitions.NORMALIZER)
        .forEach((name, options) -> normalizers.put(name, normalizer(options)));
  }

  /**
   * @param settings flat, under their full names
   */
  public static IndexAnalysis of(Map<String, String> settings) {
    Map<String, String> own = new TreeMap<>();
    settings.forEach((name, value) -> {
      if (name.startsWith(Definitions.PREFIX) || name.startsWith("index.max_")) {
        own.put(name, value);
      }
    });
    IndexAnalysis known = Cache.KNOWN.get(own);
    if (known == null) {
      known = new IndexAnalysis(own);
      if (Cache.KNOWN.size() >= Cache.MOST) {
        Cache.KNOWN.clear();
      }
      IndexAnalysis earlier = Cache.KNOWN.putIfAbsent(own, known);
      known = earlier == null ? known : earlier;
    }
    return known;
  }

  /** Returns null if there is none. */
  public @Nullable Analyzer analyzer(String name) {
    Analyzer own = analyzers.get(name);
    if (own != null) {
      return own;
    }
    Analyzer shared = Cache.SHARED.get(name);
    if (shared != null) {
      return shared;
    }
    Analyzer made = Analyzers.of(name, ComponentOptions.none(Definitions.ANALYZER, name));
    if (made != null) {
      Cache.SHARED.putIfAbsent(name, made);
    }
    return made;
  }

  /** Returns null if there is none. */
  public @Nullable Analyzer normalizer(String name) {
    Analyzer own = normalizers.get(name);
    return own == null && name.equals("lowercase") ? Lowercase.NORMALIZER : own;
  }

  private static final class Lowercase {
    private static final Analyzer NORMALIZER =
        normalizing(
            List.of(),
            List.of(new Named<>("lowercase", TokenFilterPart.normalizing(LowerCaseFilter::new))));
  }

  /** Applies a normalizer to a keyword. */
  public BytesRef normalized(String normalizer, String field, String text) {
    Analyzer analyzer = normalizer(normalizer);
    if (analyzer == null) {
      throw new IllegalStateException("no normalizer [" + normalizer + "]");
    }
    return analyzer.normalize(field, text);
  }

  /** Whether the index's settings define an analyzer of that name. */
  public boolean defines(String analyzer) {
    return analyzers.containsKey(analyzer);
  }

  /** The default {@code position_increment_gap} of fields with that analyzer. */
  public int positionIncrementGap(String analyzer) {
    return analyzers.get(analyzer) instanceof Chain chain
        ? chain.getPositionIncrementGap("")
        : Chain.POSITION_GAP;
  }

  /** The analyzer that a request defines: each part is a name or an object with a {@code type}. */
  public Analyzer custom(
      List<Object> charFilterParts, Object tokenizerPart, List<Object> filterParts) {
    Named<Supplier<Tokenizer>> tokenizer = parts.requestedTokenizer(tokenizerPart);
    return new Chain(
        charFilterParts.stream().map(parts::requestedCharFilter).toList(),
        tokenizer,
        filterParts.stream().map(parts::requestedFilter).toList(),
        Chain.POSITION_GAP);
  }

  /** The normalizer that a request defines; it keeps the text as one token. */
  public Analyzer customNormalizer(List<Object> charFilterParts, List<Object> filterParts) {
    List<Named<CharFilter>> chars =
        charFilterParts.stream().map(parts::requestedCharFilter).toList();
    List<Named<TokenFilterPart>> tokens = filterParts.stream().map(parts::requestedFilter).toList();
    tokens.forEach(filter -> {
      if (!filter.part().normalizing()) {
        throw AnalysisException.illegal(
            "Custom normalizer may not use filter [" + filter.name() + "]");
      }
    });
    return normalizing(chars, tokens);
  }

  private Analyzer analyzer(ComponentOptions options) {
    if (options.name().startsWith("_")) {
      throw AnalysisException.illegal(
          "analyzer name must not start with '_'. got \"" + options.name() + "\"");
    }
    String type =
        options.has("tokenizer") ? options.text("type", "custom") : Definitions.type(options);
    if (type.equals("custom")) {
      return chain(options);
    }
    Analyzer made = Analyzers.of(type, options);
    if (made == null) {
      throw Definitions.unknown(options);
    }
    return made;
  }

  private Analyzer chain(ComponentOptions options) {
    String tokenizerName = options.text("tokenizer");
    if (tokenizerName == null) {
      throw AnalysisException.illegal(
          "analyzer ["
              + options.name()
              + "] must specify either an analyzer type, or a"
              + " tokenizer");
    }
    Supplier<Tokenizer> tokenizer = parts.tokenizer(tokenizerName);
    if (tokenizer == null) {
      throw notFound("Analyzer", options.name(), Definitions.TOKENIZER, tokenizerName);
    }
    return new Chain(
        charFilters("Analyzer", options),
        new Named<>(tokenizerName, tokenizer),
        tokenFilters("Analyzer", options),
        options.whole("position_increment_gap", Chain.POSITION_GAP));
  }

  private static ApiException notFound(String what, String name, String kind, String part) {
    return AnalysisException.illegal(
        "Custom " + what + " [" + name + "] failed to find " + kind + " under name [" + part + "]");
  }

  private List<Named<CharFilter>> charFilters(String what, ComponentOptions options) {
    List<Named<CharFilter>> found = new ArrayList<>();
    for (String name : options.list("char_filter", List.of())) {
      CharFilter part = parts.charFilter(name);
      if (part == null) {
        throw notFound(what, options.name(), Definitions.CHAR_FILTER, name);
      }
      found.add(new Named<>(name, part));
    }
    return found;
  }

  private List<Named<TokenFilterPart>> tokenFilters(String what, ComponentOptions options) {
    List<Named<TokenFilterPart>> found = new ArrayList<>();
    for (String name : options.list("filter", List.of())) {
      TokenFilterPart part = parts.filter(name);
      if (part == null) {
        throw notFound(what, options.name(), Definitions.FILTER, name);
      }
      found.add(new Named<>(name, part));
    }
    return found;
  }

  private Analyzer normalizer(ComponentOptions options) {
    String type = options.text("type", "custom");
    if (type.equals("lowercase")) {
      return Lowercase.NORMALIZER;
    }
    if (!type.equals("custom")) {
      throw Definitions.unknown(options);
    }
    List<Named<CharFilter>> chars = charFilters("Normalizer", options);
    List<Named<TokenFilterPart>> tokens = tokenFilters("Normalizer", options);
    chars.forEach(part ->
        requireNormalizing(
            options, Definitions.CHAR_FILTER, part.name(), part.part().normalizing()));
    tokens.forEach(part ->
        requireNormalizing(options, Definitions.FILTER, part.name(), part.part().normalizing()));
    return normalizing(chars, tokens);
  }

  private static void requireNormalizing(
      ComponentOptions options, String kind, String part, boolean normalizing) {
    if (!normalizing) {
      throw AnalysisException.illegal(
          "Custom normalizer [" + options.name() + "] may not use " + kind + " [" + part + "]");
    }
  }

  private static Analyzer normalizing(
      List<Named<CharFilter>> chars, List<Named<TokenFilterPart>> tokens) {
    return new Chain(chars, new Named<>("keyword", KeywordTokenizer::new), tokens, 0);
  }
}
