package io.varve.host.search;

import io.varve.engine.search.FoundPage;
import io.varve.engine.search.IndexView;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/**
 * A scroll on one copy. A query finds a page, and the merge over all shards decides how many of its
 * hits are returned. The next page begins after the last returned hit.
 */
final class Scroll {

  private final byte[] requestBytes;
  private final ShardSearchRequest request;
  private final IndexView index;
  private final @Nullable Query part;
  private final ShardSearchResult first;
  private @Nullable FoundPage page;
  private @Nullable ScoreDoc last;

  /**
   * @param part the slice of the shard to scroll through, or null for all
   * @param page the first page, of which no hit was returned yet
   */
  Scroll(
      byte[] requestBytes,
      ShardSearchRequest request,
      IndexView index,
      @Nullable Query part,
      FoundPage page) {
    this.requestBytes = requestBytes.clone();
    this.request = request;
    this.index = index;
    this.part = part;
    this.first = page.read(0);
    this.page = page;
  }

  byte[] requestBytes() {
    return requestBytes.clone();
  }

  ShardSearchRequest request() {
    return request;
  }

  IndexView index() {
    return index;
  }

  @Nullable Query part() {
    return part;
  }

  @Nullable ScoreDoc last() {
    return last;
  }

  void found(FoundPage next) {
    page = next;
  }

  /** Returns the page with the count of the first page, because only that one counted. */
  ShardSearchResult withFirstCount(ShardSearchResult result) {
    return result.counted(first.total(), first.exact(), first.maxScore());
  }

  /** Reads the first {@code count} hits of the page that was found last, and releases the page. */
  ShardSearchResult take(int count) {
    FoundPage found = page;
    if (found == null) {
      throw new IllegalArgumentException(
          "the scroll has no page to read: its last page was read already");
    }
    int taken = Math.min(count, found.size());
    ShardSearchResult result = withFirstCount(found.read(taken));
    last = found.last(taken, last);
    page = null;
    return result;
  }
}
