package io.varve.coordinator.rest.consistency;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.NotServing;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why no copy of a shard has answered a read so far, and which of the errors is told in the end.
 *
 * <pre>
 *   1. that a copy did not show in time what was promised
 *   2. an error of another kind, the newest one
 *   3. that no copy serves, with the state of each and what it said
 * </pre>
 *
 * <p>Thread-safe.
 */
final class ReadFailures {

  private final Map<String, ErrorBody> refusals = new LinkedHashMap<>();
  private @Nullable String nodeId;
  private @Nullable ErrorBody worst;
  private boolean refusedInThisRound;

  synchronized void add(CopyAddress copy, ErrorBody error) {
    if (NotServing.is(error)) {
      refusals.put(copy.copy().copyId(), error);
      refusedInThisRound = true;
    } else if (worst == null || !isTimeout(worst) || isTimeout(error)) {
      worst = error;
      nodeId = copy.node().nodeId();
    }
  }

  /** The copies are asked once more. */
  synchronized void nextRound() {
    refusedInThisRound = false;
  }

  /** Whether a copy said that it does not serve, though it was asked as one that does. */
  synchronized boolean refusedInThisRound() {
    return refusedInThisRound;
  }

  /** The node of the error that is told, null where none is to blame alone. */
  synchronized @Nullable String nodeId() {
    return nodeId;
  }

  synchronized ErrorBody told(ClusterState state, ShardRouting shard) {
    return worst == null ? notServing(state, shard) : worst;
  }

  private ErrorBody notServing(ClusterState state, ShardRouting routing) {
    String index = state.index(routing.shard().indexUuid()).map(IndexMetadata::name).orElse("_na_");
    String number = Integer.toString(routing.shard().number());
    List<String> copies = new ArrayList<>();
    for (CopyRouting copy : routing.copies()) {
      copies.add(describe(state, copy));
    }
    String each = copies.isEmpty() ? "it has none" : String.join("; ", copies);
    return ErrorBody.of(
            503,
            "no_shard_available_action_exception",
            "no copy of [" + index + "][" + number + "] can answer: " + each)
        .with("index", index)
        .with("shard", number)
        .with("index_uuid", routing.shard().indexUuid());
  }

  /** Like {@code primary STARTED on [node]: no copy of … on this node}. */
  private String describe(ClusterState state, CopyRouting copy) {
    StringBuilder text = new StringBuilder(copy.primary() ? "primary " : "replica ");
    text.append(copy.state());
    String node = copy.nodeId();
    if (node != null) {
      text.append(" on [")
          .append(state.node(node).map(member -> member.name()).orElse(node))
          .append(']');
    }
    ErrorBody refusal = refusals.get(copy.copyId());
    String why = refusal == null ? copy.reason() : refusal.reason();
    return why.isEmpty() ? text.toString() : text.append(": ").append(why).toString();
  }

  static boolean isTimeout(ErrorBody error) {
    return error.type().equals(ReadDemand.TIMEOUT_TYPE);
  }
}
