package io.varve.coordinator.rest.search;

import io.varve.cluster.IndexSettings;
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
      Pattern.compile("(?<![A-Za-z])now(?![A-Za-z])|random_score|\"profile\"|\\\\u");

  private CachePolicy() {}

  /** The same for one shard: the filter of an alias may change its mind too. */
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
