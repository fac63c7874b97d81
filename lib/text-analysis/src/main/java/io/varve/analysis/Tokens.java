package io.varve.analysis;

import io.varve.rpc.ApiException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionLengthAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/**
 * Runs an analyzer on texts and returns its tokens, as a whole or step by step ({@code _analyze}).
 */
public final class Tokens {

  /**
   * A token.
   *
   * @param attributes other attributes of the token by name; empty unless requested
   */
  public record Token(
      String term, Span span, String type, Place place, Map<String, Object> attributes) {}

  /** Character offsets in the text. */
  public record Span(int start, int end) {}

  /** The position among the tokens, and its length in positions. */
  public record Place(int position, int length) {}

  /** The tokens after one step. */
  public record Step(String name, List<Token> tokens) {}

  /** The texts after one character filter. */
  public record Filtered(String name, List<String> texts) {}

  /** The steps of a chain. */
  public record Steps(List<Filtered> charFilters, Step tokenizer, List<Step> filters) {}

  /**
   * Options for returning tokens.
   *
   * @param most maximum number of tokens; more are refused
   * @param attributes names of attributes in lower case; empty for all
   */
  public record Request(int most, boolean withAttributes, Set<String> attributes) {}

  private Tokens() {}

  /** Whether an analyzer is a chain that can be explained step by step. */
  public static boolean isChain(Analyzer analyzer) {
    return analyzer instanceof Chain;
  }

  public static Steps steps(Analyzer analyzer, List<String> texts, Request request) {
    if (!(analyzer instanceof Chain chain)) {
      throw new IllegalArgumentException("not a chain: " + analyzer);
    }
    List<Filtered> filtered = new ArrayList<>();
    List<String> current = texts;
    for (var filter : chain.charFilters()) {
      current =
          current.stream()
              .map(text -> text(filter.part().over().apply(new StringReader(text))))
              .toList();
      filtered.add(new Filtered(filter.name(), current));
    }
    List<Step> steps = new ArrayList<>();
    int gap = chain.getPositionIncrementGap("");
    for (int count = 0; count <= chain.filters().size(); count++) {
      try (Chain part =
          new Chain(
              chain.charFilters(), chain.tokenizer(), chain.filters().subList(0, count), gap)) {
        String name = count == 0 ? chain.tokenizer().name() : chain.filters().get(count - 1).name();
        steps.add(new Step(name, of(part, texts, request)));
      }
    }
    return new Steps(filtered, steps.getFirst(), steps.subList(1, steps.size()));
  }

  private static String text(Reader reader) {
    try {
      StringWriter text = new StringWriter();
      reader.transferTo(text);
      return text.toString();
    } catch (IOException e) {
      throw new UncheckedIOException("reading a text in memory", e);
    }
  }

  /** Throws an {@link ApiException} if there are more tokens than allowed. */
  public static List<Token> of(Analyzer analyzer, List<String> texts, Request request) {
    List<Token> tokens = new ArrayList<>();
    int position = -1;
    int offset = 0;
    for (String text : texts) {
      try (TokenStream stream = analyzer.tokenStream("", text)) {
        CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
        PositionIncrementAttribute increment =
            stream.addAttribute(PositionIncrementAttribute.class);
        PositionLengthAttribute length = stream.addAttribute(PositionLengthAttribute.class);
        OffsetAttribute span = stream.addAttribute(OffsetAttribute.class);
        TypeAttribute type = stream.addAttribute(TypeAttribute.class);
        stream.reset();
        while (stream.incrementToken()) {
          position += increment.getPositionIncrement();
          if (tokens.size() >= request.most) {
            throw tooMany(request.most);
          }
          tokens.add(
              new Token(
                  term.toString(),
                  new Span(offset + span.startOffset(), offset + span.endOffset()),
                  type.type(),
                  new Place(position, length.getPositionLength()),
                  request.withAttributes ? attributes(stream, request.attributes) : Map.of()));
        }
        stream.end();
        offset += span.endOffset() + analyzer.getOffsetGap("");
        position += increment.getPositionIncrement() + analyzer.getPositionIncrementGap("");
      } catch (IOException e) {
        throw new UncheckedIOException("reading a text in memory", e);
      }
    }
    return tokens;
  }

  private static ApiException tooMany(int most) {
    return new ApiException(
        400,
        "illegal_state_exception",
        "The number of tokens produced by calling _analyze has exceeded the allowed maximum of ["
            + most
            + "]. This limit can be set by changing the [index.analyze.max_token_count] index"
            + " level setting.");
  }

  private static Map<String, Object> attributes(TokenStream stream, Set<String> wanted) {
    Map<String, Object> found = new TreeMap<>();
    stream.reflectWith((attribute, key, value) -> {
      boolean shownAnyway =
          CharTermAttribute.class.isAssignableFrom(attribute)
              || PositionIncrementAttribute.class.isAssignableFrom(attribute)
              || OffsetAttribute.class.isAssignableFrom(attribute)
              || TypeAttribute.class.isAssignableFrom(attribute);
      if (!shownAnyway
          && value != null
          && (wanted.isEmpty() || wanted.contains(key.toLowerCase(Locale.ROOT)))) {
        boolean plain = value instanceof Number || value instanceof Boolean;
        found.put(key, plain ? value : value.toString());
      }
    });
    return found;
  }
}
