package io.varve.rpc;

/** The headers that say how one shard is searched, beside the body that all shards share. */
public final class SearchCallHeaders {

  /** The id of a scroll or point in time. */
  public static final String CONTEXT = "Varve-Context";

  /** Milliseconds that the context stays after this use. */
  public static final String KEEP_ALIVE = "Varve-Keep-Alive";

  /** When the point in time was opened, as its coordinator says. */
  public static final String OPENED = "Varve-Opened";

  /** {@code id/max} or {@code id/max/field}: a part of the shard. */
  public static final String PART = "Varve-Part";

  /** Which of the searched shards this is. */
  public static final String ORDINAL = "Varve-Ordinal";

  /** Milliseconds after which the shard shows what it has. */
  public static final String TIMEOUT = "Varve-Search-Timeout";

  /** The coordinator's task. */
  public static final String TASK = "Varve-Task";

  /** The answer may be kept and shown again. */
  public static final String CACHED = "Varve-Cached";

  /** The hits are read at once, and all of them are taken. */
  public static final String READ = "Varve-Read";

  /** Milliseconds for which the answer is waited for: what begins later is done for nobody. */
  public static final String DEADLINE = "Varve-Deadline";

  /** Names this one attempt, so that it can be cancelled though others go on for the same task. */
  public static final String ATTEMPT = "Varve-Attempt";

  /**
   * Nanoseconds that the caller expects a worker to take, for the node to measure itself against.
   */
  public static final String EXPECTED = "Varve-Expected";

  /** Of an answer: how busy the node is, see {@link NodeLoad}. */
  public static final String LOAD = "Varve-Load";

  private SearchCallHeaders() {}
}
