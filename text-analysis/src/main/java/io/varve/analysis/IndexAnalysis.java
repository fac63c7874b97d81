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
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The analyzers of an index, by name: those that its settings define, and those that every index
 * has. The same settings give the same instance, whose analyzers are shared; what is bad in them is
 * refused when it is made, with an {@link ApiException} in the dialect's words.
 */
public final class IndexAnalysis {

  public static final String DEFAULT_NAME = "default";
  public static final String DEFAULT_SEARCH = "default_search";

  private static final String PREFIX = "index.analysis.";
  private static final String ANALYZER = "analyzer";
  private static final String NORMALIZER = "normalizer";
  private static final String TOKENIZER = "tokenizer";
  private static final String FILTER = "filter";
  private static final String CHAR_FILTER = "char_filter";

  private static final class Cache {
    private static final int MOST = 500;
    private static final Map<Map<String, String>, IndexAnalysis> KNOWN = new ConcurrentHashMap<>();
    // An analyzer of its own for each index would cost memory for nothing.
    private static final Map<String, Analyzer> SHARED = new ConcurrentHashMap<>();
  }

  public static final IndexAnalysis DEFAULT = of(Map.of());

  private final Limits limits;
  private final Map<String, Map<String, Options>> defined;
  private final Map<String, Supplier<Tokenizer>> tokenizers = new HashMap<>();
  private final Map<String, CharFilter> charFilters = new HashMap<>();
  private final Map<String, TokenFilterPart> filters = new HashMap<>();
  private final Map<String, Analyzer> analyzers = new HashMap<>();
  private final Map<String, Analyzer> normalizers = new HashMap<>();

  private IndexAnalysis(Map<String, String> settings) {
    this.limits = Limits.of(settings);
    this.defined = defined(settings);
    kind(TOKENIZER).forEach((name, options) -> tokenizers.put(name, tokenizer(options)));
    kind(CHAR_FILTER).forEach((name, options) -> charFilters.put(name, charFilter(options)));
    // A multiplexer is made of other filters, whatever their order here.
    kind(FILTER).keySet().forEach(this::definedFilter);
    kind(ANALYZER).forEach((name, options) -> analyzers.put(name, analyzer(options)));
    kind(NORMALIZER).forEach((name, options) -> normalizers.put(name, normalizer(options)));
  }

  /** {@code settings} flat and under their full names. */
  public static IndexAnalysis of(Map<String, String> settings) {
    Map<String, String> own = new TreeMap<>();
    settings.forEach((name, value) -> {
      if (name.startsWith(PREFIX) || name.startsWith("index.max_")) {
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

  private static Map<String, Map<String, Options>> defined(Map<String, String> settings) {
    Map<String, Map<String, Map<String, String>>> flat = new TreeMap<>();
    settings.forEach((key, value) -> {
      if (!key.startsWith(PREFIX)) {
        return;
      }
      String[] parts = key.substring(PREFIX.length()).split("\\.", 3);
      if (parts.length < 3) {
        throw AnalysisException.illegal(
            "[" + key + "] names no parameter of an analyzer or of a part of one");
      }
      flat.computeIfAbsent(parts[0], _ -> new TreeMap<>())
          .computeIfAbsent(parts[1], _ -> new TreeMap<>())
          .put(parts[2], value);
    });
    Map<String, Map<String, Options>> defined = new TreeMap<>();
    flat.forEach((kind, named) -> {
      if (!List.of(ANALYZER, NORMALIZER, TOKENIZER, FILTER, CHAR_FILTER).contains(kind)) {
        throw AnalysisException.illegal("unknown setting [" + PREFIX + kind + "]");
      }
      Map<String, Options> options = new TreeMap<>();
      named.forEach((name, values) -> options.put(name, Options.ofFlat(kind, name, values)));
      defined.put(kind, options);
    });
    return defined;
  }

  private Map<String, Options> kind(String kind) {
    return defined.getOrDefault(kind, Map.of());
  }

  /** An analyzer by its name; {@code null} when there is none. */
  public @Nullable Analyzer analyzer(String name) {
    Analyzer own = analyzers.get(name);
    if (own != null) {
      return own;
    }
    Analyzer shared = Cache.SHARED.get(name);
    if (shared != null) {
      return shared;
    }
    Analyzer made = Analyzers.of(name, Options.none(ANALYZER, name));
    if (made != null) {
      Cache.SHARED.putIfAbsent(name, made);
    }
    return made;
  }

  /** A normalizer by its name; {@code null} when there is none. */
  public @Nullable Analyzer normalizer(String name) {
    Analyzer own = normalizers.get(name);
    return own == null && name.equals("lowercase") ? Lowercase.NORMALIZER : own;
  }

  private static final class Lowercase {
    private static final Analyzer NORMALIZER =
        normalizing(
            List.of(),
            List.of(
                new Named<>(
                    "lowercase",
                    TokenFilterPart.normalizing(org.apache.lucene.analysis.LowerCaseFilter::new))));
  }

  /** A keyword as a normalizer makes it. */
  public BytesRef normalized(String normalizer, String field, String text) {
    Analyzer analyzer = normalizer(normalizer);
    if (analyzer == null) {
      throw new IllegalStateException("no normalizer [" + normalizer + "]");
    }
    return analyzer.normalize(field, text);
  }

  /** Whether the index itself has an analyzer of that name. */
  public boolean defines(String analyzer) {
    return analyzers.containsKey(analyzer);
  }

  /** How far apart the values of a field stand that says nothing of it. */
  public int positionIncrementGap(String analyzer) {
    return analyzers.get(analyzer) instanceof Chain chain
        ? chain.getPositionIncrementGap("")
        : Chain.POSITION_GAP;
  }

  /** A chain that a request puts together: each part a name or an object with a {@code type}. */
  public Analyzer custom(
      List<Object> charFilterParts, Object tokenizerPart, List<Object> filterParts) {
    Named<Supplier<Tokenizer>> tokenizer = requestedTokenizer(tokenizerPart);
    return new Chain(
        charFilterParts.stream().map(this::requestedCharFilter).toList(),
        tokenizer,
        filterParts.stream().map(this::requestedFilter).toList(),
        Chain.POSITION_GAP);
  }

  /** The same for a normalizer, which leaves the text whole. */
  public Analyzer customNormalizer(List<Object> charFilterParts, List<Object> filterParts) {
    List<Named<CharFilter>> chars =
        charFilterParts.stream().map(this::requestedCharFilter).toList();
    List<Named<TokenFilterPart>> tokens = filterParts.stream().map(this::requestedFilter).toList();
    tokens.forEach(filter -> {
      if (!filter.part().normalizing()) {
        throw AnalysisException.illegal(
            "Custom normalizer may not use filter [" + filter.name() + "]");
      }
    });
    return normalizing(chars, tokens);
  }

  private static Options anonymous(String kind, Map<?, ?> values) {
    Map<String, Object> copy = new TreeMap<>();
    values.forEach((key, value) -> {
      if (value != null) {
        copy.put(String.valueOf(key), value);
      }
    });
    return new Options(kind, "__anonymous__" + copy.getOrDefault("type", "custom"), copy);
  }

  private Named<Supplier<Tokenizer>> requestedTokenizer(Object part) {
    if (part instanceof Map<?, ?> values) {
      Options options = anonymous(TOKENIZER, values);
      return new Named<>(options.name(), tokenizer(options));
    }
    Supplier<Tokenizer> named = tokenizer(part.toString());
    if (named == null) {
      throw AnalysisException.illegal("failed to find global tokenizer under [" + part + "]");
    }
    return new Named<>(part.toString(), named);
  }

  private Named<CharFilter> requestedCharFilter(Object part) {
    if (part instanceof Map<?, ?> values) {
      Options options = anonymous(CHAR_FILTER, values);
      return new Named<>(options.name(), charFilter(options));
    }
    CharFilter named = charFilter(part.toString());
    if (named == null) {
      throw AnalysisException.illegal("failed to find global char_filter under [" + part + "]");
    }
    return new Named<>(part.toString(), named);
  }

  private Named<TokenFilterPart> requestedFilter(Object part) {
    if (part instanceof Map<?, ?> values) {
      Options options = anonymous(FILTER, values);
      return new Named<>(options.name(), filter(options));
    }
    TokenFilterPart named = filter(part.toString());
    if (named == null) {
      throw AnalysisException.illegal("failed to find global filter under [" + part + "]");
    }
    return new Named<>(part.toString(), named);
  }

  private @Nullable Supplier<Tokenizer> tokenizer(String name) {
    Supplier<Tokenizer> own = tokenizers.get(name);
    return own == null ? Tokenizers.of(name, Options.none(TOKENIZER, name), limits) : own;
  }

  private @Nullable CharFilter charFilter(String name) {
    CharFilter own = charFilters.get(name);
    return own == null ? CharFilters.of(name, Options.none(CHAR_FILTER, name)) : own;
  }

  private @Nullable TokenFilterPart filter(String name) {
    TokenFilterPart own = definedFilter(name);
    return own == null ? filters().of(name, Options.none(FILTER, name)) : own;
  }

  private @Nullable TokenFilterPart definedFilter(String name) {
    TokenFilterPart made = filters.get(name);
    Options options = kind(FILTER).get(name);
    if (made == null && options != null) {
      made = filter(options);
      filters.put(name, made);
    }
    return made;
  }

  private TokenFilters filters() {
    return new TokenFilters(
        limits,
        name -> {
          TokenFilterPart found = filter(name);
          if (found == null) {
            throw AnalysisException.illegal("failed to find filter under name [" + name + "]");
          }
          return found;
        });
  }

  private Supplier<Tokenizer> tokenizer(Options options) {
    Supplier<Tokenizer> made = Tokenizers.of(type(options), options, limits);
    if (made == null) {
      throw unknown(options);
    }
    return made;
  }

  private static CharFilter charFilter(Options options) {
    CharFilter made = CharFilters.of(type(options), options);
    if (made == null) {
      throw unknown(options);
    }
    return made;
  }

  private TokenFilterPart filter(Options options) {
    TokenFilterPart made = filters().of(type(options), options);
    if (made == null) {
      throw unknown(options);
    }
    return made;
  }

  private static String type(Options options) {
    String type = options.text("type");
    if (type == null) {
      throw AnalysisException.illegal(
          options.kind()
              + " ["
              + options.name()
              + "] must specify either an analyzer type, or a"
              + " tokenizer");
    }
    return type;
  }

  private static ApiException unknown(Options options) {
    return AnalysisException.illegal(
        "Unknown "
            + options.kind()
            + " type ["
            + options.text("type")
            + "] for ["
            + options.name()
            + "]");
  }

  private Analyzer analyzer(Options options) {
    if (options.name().startsWith("_")) {
      throw AnalysisException.illegal(
          "analyzer name must not start with '_'. got \"" + options.name() + "\"");
    }
    String type = options.has("tokenizer") ? options.text("type", "custom") : type(options);
    if (type.equals("custom")) {
      return chain(options);
    }
    Analyzer made = Analyzers.of(type, options);
    if (made == null) {
      throw unknown(options);
    }
    return made;
  }

  private Analyzer chain(Options options) {
    String tokenizerName = options.text("tokenizer");
    if (tokenizerName == null) {
      throw AnalysisException.illegal(
          "analyzer ["
              + options.name()
              + "] must specify either an analyzer type, or a"
              + " tokenizer");
    }
    Supplier<Tokenizer> tokenizer = tokenizer(tokenizerName);
    if (tokenizer == null) {
      throw notFound("Analyzer", options.name(), TOKENIZER, tokenizerName);
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

  private List<Named<CharFilter>> charFilters(String what, Options options) {
    List<Named<CharFilter>> parts = new ArrayList<>();
    for (String name : options.list("char_filter", List.of())) {
      CharFilter part = charFilter(name);
      if (part == null) {
        throw notFound(what, options.name(), CHAR_FILTER, name);
      }
      parts.add(new Named<>(name, part));
    }
    return parts;
  }

  private List<Named<TokenFilterPart>> tokenFilters(String what, Options options) {
    List<Named<TokenFilterPart>> parts = new ArrayList<>();
    for (String name : options.list("filter", List.of())) {
      TokenFilterPart part = filter(name);
      if (part == null) {
        throw notFound(what, options.name(), FILTER, name);
      }
      parts.add(new Named<>(name, part));
    }
    return parts;
  }

  private Analyzer normalizer(Options options) {
    String type = options.text("type", "custom");
    if (type.equals("lowercase")) {
      return Lowercase.NORMALIZER;
    }
    if (!type.equals("custom")) {
      throw unknown(options);
    }
    List<Named<CharFilter>> chars = charFilters("Normalizer", options);
    List<Named<TokenFilterPart>> tokens = tokenFilters("Normalizer", options);
    chars.forEach(
        part -> requireNormalizing(options, CHAR_FILTER, part.name(), part.part().normalizing()));
    tokens.forEach(
        part -> requireNormalizing(options, FILTER, part.name(), part.part().normalizing()));
    return normalizing(chars, tokens);
  }

  private static void requireNormalizing(
      Options options, String kind, String part, boolean normalizing) {
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
