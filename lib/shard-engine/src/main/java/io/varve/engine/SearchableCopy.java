package io.varve.engine;

import io.varve.rpc.CopySegments;
import io.varve.rpc.GetResult;
import java.util.Set;

/** A copy of a shard that can be read, whether it writes its own segments or is given them. */
public interface SearchableCopy extends AutoCloseable {

  /** What searches see now; the caller closes it. */
  SearchView acquireView();

  /**
   * Reads a document by id.
   *
   * @param realtime see what is applied, refreshed or not; a copy that is given its segments has
   *     nothing newer than those
   */
  default GetResult get(String id, boolean realtime) {
    return get(id, realtime, Set.of());
  }

  /** The same with the stored fields of these names. */
  GetResult get(String id, boolean realtime, Set<String> storedFields);

  /** From here on each reader is warmed before it is shown. */
  void warmWith(ReaderWarmer warmer);

  EngineStats stats();

  CopySegments segments();

  /** Where searches on this copy are counted. */
  SearchMeters searchMeters();

  /** Every operation up to this one is visible to searches; -1 for none. */
  long visibleSeqNo();

  /** The generation of what searches see, -1 before the first. */
  long generation();

  @Override
  void close();
}
