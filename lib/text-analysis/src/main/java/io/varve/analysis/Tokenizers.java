package io.varve.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.classic.ClassicTokenizer;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.LetterTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.email.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenizer;
import org.apache.lucene.analysis.ngram.NGramTokenizer;
import org.apache.lucene.analysis.path.PathHierarchyTokenizer;
import org.apache.lucene.analysis.path.ReversePathHierarchyTokenizer;
import org.apache.lucene.analysis.pattern.PatternTokenizer;
import org.apache.lucene.analysis.pattern.SimplePatternSplitTokenizer;
import org.apache.lucene.analysis.pattern.SimplePatternTokenizer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.th.ThaiTokenizer;
import org.apache.lucene.analysis.util.CharTokenizer;
import org.apache.lucene.util.AttributeFactory;
import org.jspecify.annotations.Nullable;

/** Creates tokenizers by type. */
final class Tokenizers {

  private static final int LONGEST_TOKEN = StandardTokenizer.MAX_TOKEN_LENGTH_LIMIT;

  private Tokenizers() {}

  /** Returns null if the type is unknown. */
  static @Nullable Supplier<Tokenizer> of(String type, ComponentOptions options, Limits limits) {
    return switch (type) {
      case "standard" -> {
        int longest = longest(options);
        yield () -> {
          StandardTokenizer tokenizer = new StandardTokenizer();
          tokenizer.setMaxTokenLength(longest);
          return tokenizer;
        };
      }
      case "classic" -> {
        int longest = longest(options);
        yield () -> {
          ClassicTokenizer tokenizer = new ClassicTokenizer();
          tokenizer.setMaxTokenLength(longest);
          return tokenizer;
        };
      }
      case "uax_url_email" -> {
        int longest = longest(options);
        yield () -> {
          UAX29URLEmailTokenizer tokenizer = new UAX29URLEmailTokenizer();
          tokenizer.setMaxTokenLength(longest);
          return tokenizer;
        };
      }
      case "letter" -> LetterTokenizer::new;
      case "lowercase" -> LowercaseTokenizer::new;
      case "whitespace" -> {
        int longest = longest(options);
        yield () -> new WhitespaceTokenizer(longest);
      }
      case "thai" -> ThaiTokenizer::new;
      case "keyword" -> {
        int buffer = options.positive("buffer_size", KeywordTokenizer.DEFAULT_BUFFER_SIZE);
        yield () -> new KeywordTokenizer(buffer);
      }
      case "ngram", "nGram" -> ngram(options, limits);
      case "edge_ngram", "edgeNGram" -> edgeNgram(options);
      case "pattern" -> pattern(options);
      case "simple_pattern" -> {
        String pattern = Patterns.ofTerms(options);
        yield checked(() -> new SimplePatternTokenizer(pattern));
      }
      case "simple_pattern_split" -> {
        String pattern = Patterns.ofTerms(options);
        yield checked(() -> new SimplePatternSplitTokenizer(pattern));
      }
      case "char_group" -> charGroup(options);
      case "path_hierarchy", "PathHierarchy" -> path(options);
      default -> null;
    };
  }

  /**
   * Splits at non-letters. The chain adds the lowercase filter, which Lucene removed from its own
   * tokenizer.
   */
  static final class LowercaseTokenizer extends CharTokenizer {
    @Override
    protected boolean isTokenChar(int c) {
      return Character.isLetter(c);
    }
  }

  private static int longest(ComponentOptions options) {
    int longest = options.positive("max_token_length", 255);
    if (longest > LONGEST_TOKEN) {
      throw AnalysisException.illegal("maxTokenLength must not exceed " + LONGEST_TOKEN);
    }
    return longest;
  }

  /** Calls the factory once, so that an invalid pattern is refused immediately. */
  private static Supplier<Tokenizer> checked(Supplier<Tokenizer> maker) {
    try {
      var _ = maker.get();
      return maker;
    } catch (IllegalArgumentException e) {
      throw AnalysisException.illegal(String.valueOf(e.getMessage()), e);
    }
  }

  private static Supplier<Tokenizer> ngram(ComponentOptions options, Limits limits) {
    int min = options.positive("min_gram", NGramTokenizer.DEFAULT_MIN_NGRAM_SIZE);
    int max = options.positive("max_gram", NGramTokenizer.DEFAULT_MAX_NGRAM_SIZE);
    limits.checkNgrams(min, max);
    IntPredicate kept = tokenChars(options);
    if (kept == null) {
      return checked(() -> new NGramTokenizer(min, max));
    }
    return checked(() ->
        new NGramTokenizer(min, max) {
          @Override
          protected boolean isTokenChar(int c) {
            return kept.test(c);
          }
        });
  }

  private static Supplier<Tokenizer> edgeNgram(ComponentOptions options) {
    int min = options.positive("min_gram", 1);
    int max = options.positive("max_gram", 2);
    IntPredicate kept = tokenChars(options);
    if (kept == null) {
      return checked(() -> new EdgeNGramTokenizer(min, max));
    }
    return checked(() ->
        new EdgeNGramTokenizer(min, max) {
          @Override
          protected boolean isTokenChar(int c) {
            return kept.test(c);
          }
        });
  }

  private static @Nullable IntPredicate tokenChars(ComponentOptions options) {
    List<String> classes = options.list("token_chars", List.of());
    if (classes.isEmpty()) {
      return null;
    }
    IntPredicate kept = _ -> false;
    for (String name : classes) {
      kept = kept.or(charClass(name, options));
    }
    return kept;
  }

  private static IntPredicate charClass(String name, ComponentOptions options) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "letter" -> Character::isLetter;
      case "digit" -> Character::isDigit;
      case "whitespace" -> Character::isWhitespace;
      case "punctuation" -> Tokenizers::isPunctuation;
      case "symbol" -> Tokenizers::isSymbol;
      case "custom" -> {
        String custom = options.text("custom_token_chars");
        if (custom == null) {
          throw AnalysisException.illegal(
              "Token type: 'custom' requires setting `custom_token_chars`");
        }
        yield c -> custom.indexOf(c) >= 0;
      }
      default ->
          throw AnalysisException.illegal(
              "Unknown token type: '"
                  + name.toLowerCase(Locale.ROOT)
                  + "', must be one of "
                  + new TreeSet<>(
                      Set.of("letter", "digit", "whitespace", "punctuation", "symbol", "custom")));
    };
  }

  private static boolean isPunctuation(int c) {
    return switch (Character.getType(c)) {
      case Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.OTHER_PUNCTUATION,
          Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION ->
          true;
      default -> false;
    };
  }

  private static boolean isSymbol(int c) {
    return switch (Character.getType(c)) {
      case Character.CURRENCY_SYMBOL,
          Character.MATH_SYMBOL,
          Character.OTHER_SYMBOL,
          Character.MODIFIER_SYMBOL ->
          true;
      default -> false;
    };
  }

  private static Supplier<Tokenizer> pattern(ComponentOptions options) {
    Pattern pattern = Patterns.of(options, "pattern", "\\W+");
    int group = options.whole("group", -1);
    return checked(() -> new PatternTokenizer(pattern, group));
  }

  private static Supplier<Tokenizer> charGroup(ComponentOptions options) {
    int longest = options.positive("max_token_length", CharTokenizer.DEFAULT_MAX_WORD_LEN);
    IntPredicate separator = _ -> false;
    for (String part : options.list("tokenize_on_chars", List.of())) {
      separator = separator.or(separator(part));
    }
    IntPredicate cuts = separator;
    return () ->
        new CharTokenizer(AttributeFactory.DEFAULT_ATTRIBUTE_FACTORY, longest) {
          @Override
          protected boolean isTokenChar(int c) {
            return !cuts.test(c);
          }
        };
  }

  private static IntPredicate separator(String part) {
    if (part.isEmpty()) {
      throw AnalysisException.illegal("[tokenize_on_chars] cannot contain empty characters");
    }
    if (part.codePointCount(0, part.length()) == 1) {
      int only = part.codePointAt(0);
      return c -> c == only;
    }
    if (part.charAt(0) == '\\') {
      int only = escaped(part);
      return c -> c == only;
    }
    return switch (part) {
      case "letter" -> Character::isLetter;
      case "digit" -> Character::isDigit;
      case "whitespace" -> Character::isWhitespace;
      case "punctuation" -> Tokenizers::isPunctuation;
      case "symbol" -> Tokenizers::isSymbol;
      default -> throw AnalysisException.illegal("Invalid escaped char in [" + part + "]");
    };
  }

  private static int escaped(String part) {
    Map<Character, Integer> known = new HashMap<>();
    known.put('\\', (int) '\\');
    known.put('n', (int) '\n');
    known.put('t', (int) '\t');
    known.put('r', (int) '\r');
    known.put('b', (int) '\b');
    known.put('f', (int) '\f');
    Integer plain = known.get(part.charAt(1));
    if (plain != null && part.length() == 2) {
      return plain;
    }
    if (part.charAt(1) == 'u' && part.length() == 6) {
      try {
        return Integer.parseInt(part.substring(2), 16);
      } catch (NumberFormatException e) {
        throw AnalysisException.illegal("Invalid escaped char in [" + part + "]", e);
      }
    }
    throw AnalysisException.illegal("Invalid escaped char in [" + part + "]");
  }

  private static Supplier<Tokenizer> path(ComponentOptions options) {
    int buffer = options.positive("buffer_size", 1024);
    char delimiter = one(options, "delimiter", '/');
    char replacement = one(options, "replacement", delimiter);
    int skip = options.whole("skip", 0);
    return options.flag("reverse", false)
        ? checked(() -> new ReversePathHierarchyTokenizer(buffer, delimiter, replacement, skip))
        : checked(() -> new PathHierarchyTokenizer(buffer, delimiter, replacement, skip));
  }

  private static char one(ComponentOptions options, String key, char otherwise) {
    String text = options.text(key);
    if (text == null) {
      return otherwise;
    }
    if (text.length() != 1) {
      throw AnalysisException.illegal(key + " must be a one char value");
    }
    return text.charAt(0);
  }
}
