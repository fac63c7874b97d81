package io.varve.cluster;

import io.varve.rpc.ErrorBody;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** Rules for index names: OpenSearch's, in the same order and with the same error texts. */
public final class IndexNames {

  private static final int MAX_BYTES = 255;
  private static final String FORBIDDEN = " \"*\\<|,>/?";

  private IndexNames() {}

  /** The reason for which {@code name} is not a valid index name; empty if it is valid. */
  public static Optional<ErrorBody> refusal(String name) {
    return problem(name, true)
        .map(problem ->
            ErrorBody.of(
                    400,
                    "invalid_index_name_exception",
                    "Invalid index name [" + name + "], " + problem)
                .with("index", name)
                .with("index_uuid", "_na_"));
  }

  /** A name with these characters can't be written in a URL. */
  private static boolean isUnrepresentable(int codePoint) {
    return Character.isISOControl(codePoint)
        || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
  }

  static Optional<String> problem(String name, boolean lowerCase) {
    if (name.isEmpty()) {
      return Optional.of("must not be empty");
    }
    if (name.chars().anyMatch(c -> FORBIDDEN.indexOf(c) >= 0)) {
      return Optional.of(
          "must not contain the following characters [ , \", *, \\, <, |, ,, >, /, ?]");
    }
    if (name.contains("#")) {
      return Optional.of("must not contain '#'");
    }
    if (name.contains(":")) {
      return Optional.of("must not contain ':'");
    }
    if (name.codePoints().anyMatch(IndexNames::isUnrepresentable)) {
      return Optional.of("must not contain control characters or halves of characters");
    }
    if ("_-+".indexOf(name.charAt(0)) >= 0) {
      return Optional.of("must not start with '_', '-', or '+'");
    }
    int sizeBytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (sizeBytes > MAX_BYTES) {
      return Optional.of("index name is too long, (" + sizeBytes + " > " + MAX_BYTES + ")");
    }
    if (name.equals(".") || name.equals("..")) {
      return Optional.of("must not be '.' or '..'");
    }
    return !lowerCase || name.equals(name.toLowerCase(Locale.ROOT))
        ? Optional.empty()
        : Optional.of("must be lowercase");
  }
}
