package io.varve.client;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import java.util.Set;

/**
 * The errors with which a node reports that it has no copy of the shard that can answer now: none
 * at all, one that is being opened, one that is closed, or one that is no longer the primary. In
 * these cases, the coordinator's cluster state lags, or the copy's process is new. Nothing was
 * executed, so another copy can be asked. The coordinator never reports to a client that the shard
 * does not exist.
 */
public final class NotServing {

  private static final Set<String> TYPES =
      Set.of(
          "shard_not_found_exception",
          "index_shard_not_started_exception",
          "no_shard_available_action_exception",
          "node_closed_exception",
          WriteResult.STALE_PRIMARY);

  private NotServing() {}

  public static boolean is(ErrorBody error) {
    return TYPES.contains(error.type());
  }
}
