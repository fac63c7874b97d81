package io.varve.engine;

import io.varve.rpc.CopySegments;
import io.varve.rpc.GetResult;
import java.util.Set;

/** A copy of a shard that can be read, whether it writes its own segments or receives them. */
public interface SearchableCopy extends AutoCloseable {

  /** Acquires the current view, which the caller closes. */
  SearchView acquireView();

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

  /** Sets the warmer that is called with each new reader before it becomes visible. */
  void warmWith(ReaderWarmer warmer);

  EngineStats stats();

  CopySegments segments();

  /** The search counters of this copy. */
  SearchMeters searchMeters();

  /** The highest seq_no up to which every operation is visible to searches; -1 for none. */
  long visibleSeqNo();

  /** The generation of the search view, -1 before the first. */
  long generation();

  @Override
  void close();
}
