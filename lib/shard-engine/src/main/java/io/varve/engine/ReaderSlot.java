package io.varve.engine;

import io.varve.rpc.ApiException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;

/** Holds the current reader. Acquired readers stay open until they are released. */
final class ReaderSlot implements AutoCloseable {

  private record Held(
      IndexReader reader, IndexSearcher searcher, long generation, long visibleSeqNo) {}

  private volatile Held held;
  private volatile boolean closed;

  /** Takes ownership of one reference to {@code reader}. */
  ReaderSlot(IndexReader reader, long generation, long visibleSeqNo) {
    held = new Held(reader, new IndexSearcher(reader), generation, visibleSeqNo);
  }

  SearchView acquire() {
    while (true) {
      if (closed) {
        // 503, so that the caller retries: another copy may have replaced this one.
        throw new ApiException(503, "node_closed_exception", "the copy is closed");
      }
      Held now = held;
      if (now.reader.tryIncRef()) {
        return new SearchView(now.searcher, now.generation, now.visibleSeqNo);
      }
    }
  }

  /**
   * The reader without an additional reference. Only the thread that replaces readers may call
   * this.
   */
  IndexReader reader() {
    return held.reader;
  }

  long generation() {
    return held.generation;
  }

  long visibleSeqNo() {
    return held.visibleSeqNo;
  }

  /** Takes ownership of one reference to {@code reader}, unless it is already the current one. */
  @SuppressWarnings("ReferenceEquality") // the same reader, not an equal one
  void replace(IndexReader reader, long generation, long visibleSeqNo) {
    Held before = held;
    if (before.reader == reader) {
      held = new Held(reader, before.searcher, generation, visibleSeqNo);
    } else {
      held = new Held(reader, new IndexSearcher(reader), generation, visibleSeqNo);
      Closing.release(before.reader);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Closing.release(held.reader);
    }
  }
}
