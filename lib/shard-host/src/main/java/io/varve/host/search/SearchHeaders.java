package io.varve.host.search;

import io.varve.rpc.SearchCallHeaders;
import io.varve.search.Slice;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a shard search that differ between shards.
 *
 * @param context the point in time or scroll, or null for the copy's current state
 * @param keepAliveMillis keep-alive of the context after this use; 0 for the previous one
 * @param part the slice of the shard, or null for all
 * @param ordinal number of this shard among the searched ones
 * @param caller the calling task and its time limits
 * @param cached whether the response may be cached
 */
record SearchHeaders(
    @Nullable String context,
    long keepAliveMillis,
    Slice.Share.@Nullable Part part,
    int ordinal,
    Caller caller,
    boolean cached) {

  /**
   * @param task the task for which the search runs
   * @param attempt id of the attempt at the shard
   * @param timeoutMillis after which the shard returns partial results; 0 for never
   * @param patienceMillis how long the caller waits for the answer; 0 for no limit
   * @param expectedNanos expected execution time; 0 if the caller does not know
   */
  record Caller(
      @Nullable String task,
      @Nullable String attempt,
      long timeoutMillis,
      long patienceMillis,
      long expectedNanos) {}

  static SearchHeaders of(HttpServletRequest request) {
    return new SearchHeaders(
        request.getHeader(SearchCallHeaders.CONTEXT),
        number(request, SearchCallHeaders.KEEP_ALIVE),
        part(request.getHeader(SearchCallHeaders.PART)),
        (int) number(request, SearchCallHeaders.ORDINAL),
        new Caller(
            request.getHeader(SearchCallHeaders.TASK),
            request.getHeader(SearchCallHeaders.ATTEMPT),
            number(request, SearchCallHeaders.TIMEOUT),
            number(request, SearchCallHeaders.DEADLINE),
            number(request, SearchCallHeaders.EXPECTED)),
        request.getHeader(SearchCallHeaders.CACHED) != null);
  }

  static long number(HttpServletRequest request, String header) {
    String value = request.getHeader(header);
    return value == null ? 0 : Long.parseLong(value);
  }

  /** {@code id/max} or {@code id/max/field}. */
  private static Slice.Share.@Nullable Part part(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String[] parts = text.split("/", 3);
    return new Slice.Share.Part(
        parts.length == 3 ? parts[2] : null,
        Integer.parseInt(parts[0]),
        Integer.parseInt(parts[1]));
  }

  String requiredContext() {
    if (context == null) {
      throw new IllegalArgumentException("the header " + SearchCallHeaders.CONTEXT + " is missing");
    }
    return context;
  }
}
