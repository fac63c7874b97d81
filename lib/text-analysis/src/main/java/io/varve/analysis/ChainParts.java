package io.varve.analysis;

import io.varve.analysis.Chain.Named;
import io.varve.analysis.CharFilters.CharFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * The tokenizers, character filters and token filters for the analyzers of an index: those defined
 * in the settings and the built-in ones. A definition hides the built-in part of that name.
 *
 * <p>All definitions are built at once, so that an invalid one is refused even if no analyzer uses
 * it. A token filter that refers to others is built after them, regardless of the order of the
 * definitions.
 */
final class ChainParts {

  private final Limits limits;
  private final Definitions defined;
  private final Map<String, Supplier<Tokenizer>> tokenizers = new HashMap<>();
  private final Map<String, CharFilter> charFilters = new HashMap<>();
  private final Map<String, TokenFilterPart> filters = new HashMap<>();

  ChainParts(Limits limits, Definitions defined) {
    this.limits = limits;
    this.defined = defined;
    defined
        .of(Definitions.TOKENIZER)
        .forEach((name, options) -> tokenizers.put(name, tokenizer(options)));
    defined
        .of(Definitions.CHAR_FILTER)
        .forEach((name, options) -> charFilters.put(name, charFilter(options)));
    defined.of(Definitions.FILTER).keySet().forEach(this::definedFilter);
  }

  Named<Supplier<Tokenizer>> requestedTokenizer(Object part) {
    if (part instanceof Map<?, ?> values) {
      ComponentOptions options = anonymous(Definitions.TOKENIZER, values);
      return new Named<>(options.name(), tokenizer(options));
    }
    Supplier<Tokenizer> named = tokenizer(part.toString());
    if (named == null) {
      throw AnalysisException.illegal("failed to find global tokenizer under [" + part + "]");
    }
    return new Named<>(part.toString(), named);
  }

  Named<CharFilter> requestedCharFilter(Object part) {
    if (part instanceof Map<?, ?> values) {
      ComponentOptions options = anonymous(Definitions.CHAR_FILTER, values);
      return new Named<>(options.name(), charFilter(options));
    }
    CharFilter named = charFilter(part.toString());
    if (named == null) {
      throw AnalysisException.illegal("failed to find global char_filter under [" + part + "]");
    }
    return new Named<>(part.toString(), named);
  }

  Named<TokenFilterPart> requestedFilter(Object part) {
    if (part instanceof Map<?, ?> values) {
      ComponentOptions options = anonymous(Definitions.FILTER, values);
      return new Named<>(options.name(), filter(options));
    }
    TokenFilterPart named = filter(part.toString());
    if (named == null) {
      throw AnalysisException.illegal("failed to find global filter under [" + part + "]");
    }
    return new Named<>(part.toString(), named);
  }

  private static ComponentOptions anonymous(String kind, Map<?, ?> values) {
    Map<String, Object> copy = new TreeMap<>();
    values.forEach((key, value) -> {
      if (value != null) {
        copy.put(String.valueOf(key), value);
      }
    });
    return new ComponentOptions(kind, "__anonymous__" + copy.getOrDefault("type", "custom"), copy);
  }

  /** Returns null if there is none. */
  @Nullable Supplier<Tokenizer> tokenizer(String name) {
    Supplier<Tokenizer> own = tokenizers.get(name);
    return own == null
        ? Tokenizers.of(name, ComponentOptions.none(Definitions.TOKENIZER, name), limits)
        : own;
  }

  /** Returns null if there is none. */
  @Nullable CharFilter charFilter(String name) {
    CharFilter own = charFilters.get(name);
    return own == null
        ? CharFilters.of(name, ComponentOptions.none(Definitions.CHAR_FILTER, name))
        : own;
  }

  /** Returns null if there is none. */
  @Nullable TokenFilterPart filter(String name) {
    TokenFilterPart own = definedFilter(name);
    return own == null ? filters().of(name, ComponentOptions.none(Definitions.FILTER, name)) : own;
  }

  private @Nullable TokenFilterPart definedFilter(String name) {
    TokenFilterPart made = filters.get(name);
    ComponentOptions options = defined.of(Definitions.FILTER).get(name);
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

  private Supplier<Tokenizer> tokenizer(ComponentOptions options) {
    Supplier<Tokenizer> made = Tokenizers.of(Definitions.type(options), options, limits);
    if (made == null) {
      throw Definitions.unknown(options);
    }
    return made;
  }

  private static CharFilter charFilter(ComponentOptions options) {
    CharFilter made = CharFilters.of(Definitions.type(options), options);
    if (made == null) {
      throw Definitions.unknown(options);
    }
    return made;
  }

  private TokenFilterPart filter(ComponentOptions options) {
    TokenFilterPart made = filters().of(Definitions.type(options), options);
    if (made == null) {
      throw Definitions.unknown(options);
    }
    return made;
  }
}
