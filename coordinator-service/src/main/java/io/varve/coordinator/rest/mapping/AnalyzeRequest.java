package io.varve.coordinator.rest.mapping;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code _analyze}: texts, and either an analyzer, a field, a normalizer, or the parts
 * of a custom chain.
 */
record AnalyzeRequest(
    List<String> texts, Named named, Parts parts, boolean explain, Set<String> attributes) {

  /** A component specified by name. */
  record Named(@Nullable String analyzer, @Nullable String field, @Nullable String normalizer) {}

  /** Components specified by name, or as objects with a type. */
  record Parts(@Nullable Object tokenizer, List<Object> filters, List<Object> charFilters) {
    boolean isEmpty() {
      return tokenizer == null && filters.isEmpty() && charFilters.isEmpty();
    }
  }

  static AnalyzeRequest parse(Map<String, Object> body) {
    List<String> texts = List.of();
    String analyzer = null;
    String field = null;
    String normalizer = null;
    Object tokenizer = null;
    List<Object> filters = List.of();
    List<Object> charFilters = List.of();
    boolean explain = false;
    Set<String> attributes = Set.of();
    for (Map.Entry<String, Object> entry : body.entrySet()) {
      Object value = entry.getValue();
      switch (entry.getKey()) {
        case "text" -> texts = texts(value);
        case "analyzer" -> analyzer = text(entry);
        case "field" -> field = text(entry);
        case "normalizer" -> normalizer = text(entry);
        case "tokenizer" -> tokenizer = part("tokenizer", value);
        case "filter", "token_filters" -> filters = parts("filter", value);
        case "char_filter", "char_filters" -> charFilters = parts("char_filter", value);
        case "explain" -> explain = flag(entry);
        case "attributes" -> attributes = lowerCase(texts(value));
        default -> throw unknown(entry);
      }
    }
    AnalyzeRequest request =
        new AnalyzeRequest(
            texts,
            new Named(analyzer, field, normalizer),
            new Parts(tokenizer, filters, charFilters),
            explain,
            attributes);
    request.check();
    return request;
  }

  private void check() {
    if (texts.isEmpty()) {
      throw invalid("text is missing");
    }
    boolean words = named.analyzer != null || parts.tokenizer != null;
    if (named.normalizer != null && words) {
      throw invalid("tokenizer/analyze should be null if normalizer is specified");
    }
    if (named.analyzer != null && !parts.isEmpty()) {
      throw invalid("cannot define extra components on a named analyzer");
    }
    if (named.normalizer != null && !parts.isEmpty()) {
      throw invalid("cannot define extra components on a named normalizer");
    }
    if (named.field != null && !parts.isEmpty()) {
      throw invalid("cannot define extra components on a field-specific analyzer");
    }
  }

  private static ApiException invalid(String reason) {
    return new ApiException(
        400, "action_request_validation_exception", "Validation Failed: 1: " + reason + ";");
  }

  private static ApiException unknown(Map.Entry<String, Object> entry) {
    return new ApiException(
        ErrorBody.illegalArgument(
            "Unknown parameter ["
                + entry.getKey()
                + "] in request body or parameter is of the wrong type["
                + kind(entry.getValue())
                + "] "));
  }

  private static String kind(@Nullable Object value) {
    return switch (value) {
      case null -> "VALUE_NULL";
      case Map<?, ?> map -> "START_OBJECT";
      case List<?> list -> "START_ARRAY";
      case Number number -> "VALUE_NUMBER";
      case Boolean truth -> "VALUE_BOOLEAN";
      default -> "VALUE_STRING";
    };
  }

  private static String text(Map.Entry<String, Object> entry) {
    if (entry.getValue() instanceof String text) {
      return text;
    }
    throw unknown(entry);
  }

  private static boolean flag(Map.Entry<String, Object> entry) {
    Object value = entry.getValue();
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw unknown(entry);
  }

  private static List<String> texts(@Nullable Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list -> {
        List<String> texts = new ArrayList<>();
        for (Object one : list) {
          if (one == null || one instanceof Map || one instanceof List) {
            throw new ApiException(
                ErrorBody.illegalArgument("text array element should only contain text"));
          }
          texts.add(one.toString());
        }
        yield texts;
      }
      case Map<?, ?> map ->
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "Unknown parameter [text] in request body or parameter is of the wrong"
                      + " type[START_OBJECT] "));
      default -> List.of(value.toString());
    };
  }

  private static Set<String> lowerCase(List<String> names) {
    Set<String> lower = new HashSet<>();
    names.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
    return lower;
  }

  private static Object part(String name, @Nullable Object value) {
    if (value instanceof String || value instanceof Map) {
      return value;
    }
    throw new ApiException(
        ErrorBody.illegalArgument(name + " should be either a string or an object"));
  }

  private static List<Object> parts(String name, @Nullable Object value) {
    List<Object> parts = new ArrayList<>();
    if (value instanceof List<?> list) {
      list.forEach(one -> parts.add(part(name, one)));
    } else {
      parts.add(part(name, value));
    }
    return parts;
  }
}
