package io.varve.engine;

import io.varve.rpc.CopySegments;
import io.varve.rpc.GetResult;
import io.varve.rpc.SeqNoDigests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;

/** A copy of a shard that can be read, whether it writes its own segments or receives them. */
public interface SearchableCopy extends Searchable, DocumentsBySeqNo, AutoCloseable {

  /**
   * Reads a document by id.
   *
   * @param realtime reads the applied state even if it is not refreshed; a copy that receives its
   *     segments has nothing newer than those
   */
  default GetResult get(String id, boolean realtime) {
    return get(id, realtime, Set.of());
  }

  /** Also reads the stored fields with these names. */
  GetResult get(String id, boolean realtime, Set<String> storedFields);

  /**
   * The number of documents visible to searches whose seq_no is accepted by the predicate. Reads
   * the seq_no of each document.
   */
  default long count(LongPredicate ofSeqNo) {
    return count(ofSeqNo, Matching.ALL);
  }

  @Override
  default long count(LongPredicate ofSeqNo, Matching matching) {
    try (SearchView view = acquireView()) {
      return SeqNoWindow.count(view.searcher().getIndexReader(), ofSeqNo, matching);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A version of a live document. */
  record LiveVersion(String id, long seqNo, long term) {}

  @Override
  default List<LiveVersion> between(
      long fromSeqNo, long toSeqNo, LongPredicate ofSeqNo, Matching matching) {
    try (SearchView view = acquireView()) {
      return SeqNoWindow.read(
          view.searcher().getIndexReader(), fromSeqNo, toSeqNo, ofSeqNo, matching);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The digests of the live documents below a seq_no. Reads all of them.
   *
   * @param toSeqNo exclusive
   */
  default SeqNoDigests digests(long toSeqNo) {
    try (SearchView view = acquireView()) {
      return ReaderStats.digests(view.searcher().getIndexReader(), toSeqNo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets the warmer that is called with each new reader before it becomes visible. */
  void warmWith(ReaderWarmer warmer);

  EngineStats stats();

  CopySegments segments();

  /** The highest seq_no up to which every operation is visible to searches; -1 for none. */
  long visibleSeqNo();

  /** The generation of the search view, -1 before the first. */
  long generation();

  @Override
  void close();
}
