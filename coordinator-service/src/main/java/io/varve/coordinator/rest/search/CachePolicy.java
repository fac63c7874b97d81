package io.varve.coordinator.rest.search;

import io.varve.search.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which searches may be answered by an answer that was given before: those without hits, unless the
 * client says otherwise, and never one whose answer changes by itself, with the time or by chance.
 *
 * <p>Whether that is so is judged by the request's text, on the safe side: a word {@code now}
 * anywhere, or an escape that could hide one, is enough.
 */
final class CachePolicy {

  private static final Pattern CHANGING =
      Pattern.compile("(?<![A-Za-z])now(?![A-Za-z])|random_score|\\\\u");

  private CachePolicy() {}

  /** The same for the filter of an alias. */
  static boolean allows(@Nullable String filter) {
    return filter == null || !CHANGING.matcher(filter).find();
  }

  static boolean allows(SearchRequest request, @Nullable Boolean asked) {
    boolean wanted = asked == null ? request.page().size() == 0 : asked;
    return wanted
        && !CHANGING.matcher(new String(request.origin().body(), StandardCharsets.UTF_8)).find()
        && request.origin().parameters().values().stream()
            .noneMatch(value -> CHANGING.matcher(value).find());
  }
}
