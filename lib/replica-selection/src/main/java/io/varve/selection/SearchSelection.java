package io.varve.selection;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The choices of one search, based on the requests in flight when it began plus its own choices, so
 * that a search over many shards spreads its load. For one thread at a time, except that {@link
 * #sent} and {@link #hedge} may be called from any thread.
 */
public interface SearchSelection {

  /**
   * Orders the copies of one shard; call right before its first request is sent.
   *
   * @param shard a stable name of the shard
   * @param copies the candidates in any stable order
   */
  CopyOrder order(String shard, List<Copy> copies);

  /** Records a sent request; its outcome is reported to the returned attempt. */
  Attempt sent(String shard, String node, Purpose purpose);

  /**
   * The delay after which to call {@link #hedge} if the first copy is silent; empty without
   * hedging.
   */
  OptionalLong hedgeDelayNanos(String shard);

  /**
   * The copy to ask while another one is silent, if the budget allows it and a suitable one exists.
   * A returned copy consumes budget, so the caller must send to it.
   *
   * @param silent the node asked first
   * @param untried the shard's other nodes, best first
   */
  Optional<String> hedge(String silent, List<String> untried);
}
