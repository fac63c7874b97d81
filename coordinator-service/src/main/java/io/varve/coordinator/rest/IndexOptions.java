package io.varve.coordinator.rest;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Locale;

/**
 * The rules for resolving an index expression.
 *
 * @param states the indices that wildcards match
 * @param forbidClosed whether naming a closed index is an error; if not, or if unavailable indices
 *     are ignored, the index is omitted
 * @param aliases the treatment of alias names
 */
public record IndexOptions(
    boolean ignoreUnavailable,
    boolean allowNoIndices,
    States states,
    boolean forbidClosed,
    Aliases aliases) {

  /**
   * The indices that wildcards match.
   *
   * @param hidden whether indices with {@code index.hidden} are included
   */
  public record States(boolean open, boolean closed, boolean hidden) {
    boolean none() {
      return !open && !closed;
    }
  }

  /** The treatment of alias names. */
  public enum Aliases {
    /** An alias selects all of its indices. */
    MANY,
    /** An alias selects its only index; several indices are an error. */
    ONE,
    /** Aliases are an error: indices must be named directly. */
    REFUSED
  }

  private static final States OPEN_ONLY = new States(true, false, false);
  private static final States ALL_VISIBLE = new States(true, true, false);
  private static final States ALL = new States(true, true, true);

  /** For requests that need open indices: search, refresh, statistics. */
  public static final IndexOptions LENIENT =
      new IndexOptions(false, true, OPEN_ONLY, true, Aliases.MANY);

  /** For reading metadata: wildcards match open indices; closed ones may be named. */
  public static final IndexOptions SHOW =
      new IndexOptions(false, true, OPEN_ONLY, false, Aliases.MANY);

  /** For reading the metadata of all indices that are not hidden. */
  public static final IndexOptions SHOW_CLOSED =
      new IndexOptions(false, true, ALL_VISIBLE, false, Aliases.MANY);

  /** For reading the metadata of all indices. */
  public static final IndexOptions SHOW_ALL =
      new IndexOptions(false, true, ALL, false, Aliases.MANY);

  /** For changing metadata: an expression without a match is an error. */
  public static final IndexOptions STRICT =
      new IndexOptions(false, false, ALL_VISIBLE, false, Aliases.MANY);

  /** For concrete indices only: aliases are rejected. */
  public static final IndexOptions CONCRETE =
      new IndexOptions(false, true, ALL_VISIBLE, false, Aliases.REFUSED);

  /** For reading metadata: wildcards match closed indices if and only if they match open ones. */
  public IndexOptions(
      boolean ignoreUnavailable, boolean allowNoIndices, boolean open, boolean hidden) {
    this(ignoreUnavailable, allowNoIndices, new States(open, open, hidden), false, Aliases.MANY);
  }

  public static IndexOptions of(RestRequest request, IndexOptions defaults) {
    // Accepted without effect: no index is ever throttled.
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

  /**
   * Parses {@code open}, {@code closed}, {@code hidden}, {@code none} and {@code all}, ignoring
   * case.
   */
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
