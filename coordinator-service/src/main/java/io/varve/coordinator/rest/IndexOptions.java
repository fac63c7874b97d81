package io.varve.coordinator.rest;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Locale;

/**
 * How an index expression is read.
 *
 * @param states which indices wildcards find
 * @param forbidClosed whether a closed index that is named is an error; when it is not, or when
 *     what is unavailable is ignored, it is left out
 * @param aliases what names of aliases mean
 */
public record IndexOptions(
    boolean ignoreUnavailable,
    boolean allowNoIndices,
    States states,
    boolean forbidClosed,
    Aliases aliases) {

  /**
   * Which indices wildcards find.
   *
   * @param hidden those with {@code index.hidden} too
   */
  public record States(boolean open, boolean closed, boolean hidden) {
    boolean none() {
      return !open && !closed;
    }
  }

  /** What names of aliases mean. */
  public enum Aliases {
    /** All of their indices. */
    MANY,
    /** Their index; one that has several is an error. */
    ONE,
    /** An error: indices are to be named themselves. */
    REFUSED
  }

  private static final States OPEN_ONLY = new States(true, false, false);
  private static final States ALL_VISIBLE = new States(true, true, false);
  private static final States ALL = new States(true, true, true);

  /** For what needs open indices: searching, refreshing, measuring. */
  public static final IndexOptions LENIENT =
      new IndexOptions(false, true, OPEN_ONLY, true, Aliases.MANY);

  /** For looking at metadata: wildcards find open indices, closed ones may be named. */
  public static final IndexOptions SHOW =
      new IndexOptions(false, true, OPEN_ONLY, false, Aliases.MANY);

  /** For looking at the metadata of all indices that aren't hidden. */
  public static final IndexOptions SHOW_CLOSED =
      new IndexOptions(false, true, ALL_VISIBLE, false, Aliases.MANY);

  /** For looking at all there is. */
  public static final IndexOptions SHOW_ALL =
      new IndexOptions(false, true, ALL, false, Aliases.MANY);

  /** For changes of metadata: an expression that finds nothing is an error. */
  public static final IndexOptions STRICT =
      new IndexOptions(false, false, ALL_VISIBLE, false, Aliases.MANY);

  /** Indices alone: aliases are refused. */
  public static final IndexOptions CONCRETE =
      new IndexOptions(false, true, ALL_VISIBLE, false, Aliases.REFUSED);

  /** For looking at metadata; wildcards find closed indices exactly when they find open ones. */
  public IndexOptions(
      boolean ignoreUnavailable, boolean allowNoIndices, boolean open, boolean hidden) {
    this(ignoreUnavailable, allowNoIndices, new States(open, open, hidden), false, Aliases.MANY);
  }

  public static IndexOptions of(RestRequest request, IndexOptions defaults) {
    // No index is throttled, so there is none to leave out.
    request.flag("ignore_throttled", true);
    return new IndexOptions(
        request.flag("ignore_unavailable", defaults.ignoreUnavailable()),
        request.flag("allow_no_indices", defaults.allowNoIndices()),
        request.has("expand_wildcards")
            ? states(request.list("expand_wildcards"))
            : defaults.states(),
        defaults.forbidClosed(),
        defaults.aliases());
  }

  /** {@code open}, {@code closed}, {@code hidden}, {@code none} and {@code all}, in any case. */
  public static States states(Iterable<String> words) {
    States states = new States(false, false, false);
    for (String word : words) {
      states =
          switch (word.toLowerCase(Locale.ROOT)) {
            case "open" -> new States(true, states.closed(), states.hidden());
            case "closed" -> new States(states.open(), true, states.hidden());
            case "hidden" -> new States(states.open(), states.closed(), true);
            case "all" -> ALL;
            case "none" -> new States(false, false, false);
            default ->
                throw new ApiException(
                    ErrorBody.illegalArgument(
                        "No valid expand wildcard value [" + word.toLowerCase(Locale.ROOT) + "]"));
          };
    }
    return states;
  }

  public boolean open() {
    return states.open();
  }

  public boolean hidden() {
    return states.hidden();
  }

  public IndexOptions forbiddingClosed(boolean forbid) {
    return new IndexOptions(ignoreUnavailable, allowNoIndices, states, forbid, aliases);
  }
}
