package io.varve.rpc;

/** Headers of a shard search, in addition to the body common to all shards. */
public final class SearchCallHeaders {

  /** The id of a scroll or point in time. */
  public static final String CONTEXT = "Varve-Context";

  /** Milliseconds for which the context is kept after this use. */
  public static final String KEEP_ALIVE = "Varve-Keep-Alive";

  /** When the point in time was opened, by its coordinator's clock. */
  public static final String OPENED = "Varve-Opened";

  /** {@code id/max} or {@code id/max/field}: a slice of the shard. */
  public static final String PART = "Varve-Part";

  /** The shard's ordinal among the searched shards. */
  public static final String ORDINAL = "Varve-Ordinal";

  /** Milliseconds after which the shard returns partial results. */
  public static final String TIMEOUT = "Varve-Search-Timeout";

  /** The coordinator's task. */
  public static final String TASK = "Varve-Task";

  /** The response may be cached and reused. */
  public static final String CACHED = "Varve-Cached";

  /** The hits are fetched immediately, and all of them are used. */
  public static final String READ = "Varve-Read";

  /**
   * Milliseconds for which the caller waits: a search that has not begun within this time is
   * dropped.
   */
  public static final String DEADLINE = "Varve-Deadline";

  /**
   * Identifies this attempt, so that it can be cancelled while others continue for the same task.
   */
  public static final String ATTEMPT = "Varve-Attempt";

  /** Execution time in nanoseconds that the caller expects, to which the node compares its own. */
  public static final String EXPECTED = "Varve-Expected";

  /** Response header: the node's load, see {@link NodeLoad}. */
  public static final String LOAD = "Varve-Load";

  /** The version of the index's metadata that the coordinator knows, for which the node waits. */
  public static final String METADATA = "Varve-Metadata-Version";

  private SearchCallHeaders() {}
}
