package io.varve.coordinator.rest.search;

import io.varve.cluster.IndexSettings;
import io.varve.search.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which searches may be answered from the request cache: by default those without hits, or
 * as the request specifies, but never one whose result depends on time or randomness.
 *
 * <p>The latter is decided conservatively from the request's text: the word {@code now} at any
 * place, or an escape sequence that could hide it, excludes the search.
 */
final class CachePolicy {

  private static final Pattern CHANGING =
      Pattern.compile("(?<![A-Za-z])now(?![A-Za-z])|random_score|\"profile\"|\\\\u");

  private CachePolicy() {}

  /**
   * Decides for one shard: its index setting applies unless the request specifies a value, and its
   * alias filter must not depend on time either.
   */
  static boolean allows(SearchRouter.Target target, @Nullable Boolean asked) {
    boolean wanted =
        asked == null
            ? IndexSettings.value(target.index().settings(), IndexSettings.REQUEST_CACHE)
                .equals("true")
            : asked;
    String filter = target.filter();
    return wanted && (filter == null || !CHANGING.matcher(filter).find());
  }

  static boolean allows(SearchRequest request, @Nullable Boolean asked) {
    boolean wanted = asked == null ? request.page().size() == 0 : asked;
    return wanted
        && !CHANGING.matcher(new String(request.origin().body(), StandardCharsets.UTF_8)).find()
        && request.origin().parameters().values().stream()
            .noneMatch(value -> CHANGING.matcher(value).find());
  }
}
