package io.varve.coordinator.rest;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Locale;

/**
 * How an index expression is read.
 *
 * @param open whether wildcards find open indices; all are open
 * @param hidden whether they find hidden ones
 */
public record IndexOptions(
    boolean ignoreUnavailable, boolean allowNoIndices, boolean open, boolean hidden) {

  /** What holds for most requests when nothing is said. */
  public static final IndexOptions LENIENT = new IndexOptions(false, true, true, false);

  /** The same, but an expression that finds nothing is an error. */
  public static final IndexOptions STRICT = new IndexOptions(false, false, true, false);

  public static IndexOptions of(RestRequest request, IndexOptions defaults) {
    boolean open = defaults.open();
    boolean hidden = defaults.hidden();
    if (request.has("expand_wildcards")) {
      open = false;
      hidden = false;
      for (String word : request.list("expand_wildcards")) {
        switch (word.toLowerCase(Locale.ROOT)) {
          case "open" -> open = true;
          case "hidden" -> hidden = true;
          case "closed" -> {
            // There are no closed indices to find.
          }
          case "all" -> {
            open = true;
            hidden = true;
          }
          case "none" -> {
            open = false;
            hidden = false;
          }
          default ->
              throw new ApiException(
                  ErrorBody.illegalArgument(
                      "No valid expand wildcard value [" + word.toLowerCase(Locale.ROOT) + "]"));
        }
      }
    }
    return new IndexOptions(
        request.flag("ignore_unavailable", defaults.ignoreUnavailable()),
        request.flag("allow_no_indices", defaults.allowNoIndices()),
        open,
        hidden);
  }
}
