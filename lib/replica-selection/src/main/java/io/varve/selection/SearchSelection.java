package io.varve.selection;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The choices of one search. Sees the requests in flight as they were when the search began plus
 * its own choices, so that a search over many shards spreads. For one thread at a time, but {@link
 * #sent} and {@link #hedge} may be called from any.
 */
public interface SearchSelection {

  /**
   * Orders the copies of one shard, to be called right before its first request is sent.
   *
   * @param shard a name of the shard, stable between searches
   * @param copies those that may answer, in any stable order
   */
  CopyOrder order(String shard, List<Copy> copies);

  /** Counts a request as sent; the answer or failure goes to the attempt returned. */
  Attempt sent(String shard, String node, Purpose purpose);

  /**
   * How long the first copy may be silent before {@link #hedge} is asked; empty without hedging.
   */
  OptionalLong hedgeDelayNanos(String shard);

  /**
   * The copy to ask while another one is silent, if the budget has room for it and one of them is
   * worth it. Takes from the budget: whoever gets a node sends to it.
   *
   * @param silent the node asked first
   * @param untried the shard's other nodes, best first
   */
  Optional<String> hedge(String silent, List<String> untried);
}
