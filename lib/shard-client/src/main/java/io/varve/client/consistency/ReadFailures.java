package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.client.NotServing;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why no copy of a shard has answered a read so far, and the choice of the error to
 * report:
 *
 * <pre>
 *   1. a copy did not keep the promise in time
 *   2. the newest error of another kind
 *   3. no copy serves, with the state and the error of each
 * </pre>
 *
 * <p>Thread-safe.
 */
final class ReadFailures {

  /** The error type of a copy whose node cannot be reached. */
  static final String UNREACHABLE = "connect_transport_exception";

  private final Map<String, ErrorBody> refusals = new LinkedHashMap<>();
  private @Nullable String nodeId;
  private @Nullable ErrorBody worst;
  private boolean refused;
  private boolean failedOtherwise;

  synchronized void add(CopyAddress copy, ErrorBody error) {
    if (NotServing.is(error)) {
      refusals.put(copy.copy().copyId(), error);
      refused = true;
      return;
    }
    failedOtherwise |= !error.type().equals(UNREACHABLE);
    if (worst == null || !isTimeout(worst) || isTimeout(error)) {
      worst = error;
      nodeId = copy.node().nodeId();
    }
  }

  /** Starts another round. */
  synchronized void nextRound() {
    refused = false;
    failedOtherwise = false;
  }

  /**
   * Whether waiting for another round is worthwhile: some copies refused because they do not serve
   * yet (this includes a primary that is being promoted), and all others could not be reached. The
   * process of a copy that fails in another way, such as with 429, is running, and asking it again
   * would add to its load.
   */
  synchronized boolean areWorthAWait() {
    return refused && !failedOtherwise;
  }

  /** The node of the error that is reported, null if it is not of a single node. */
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
      copies.add(describe(state, routing, copy));
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
  private String describe(ClusterState state, ShardRouting routing, CopyRouting copy) {
    StringBuilder text = new StringBuilder(copy.primary() ? "primary " : "replica ");
    text.append(copy.state());
    String node = copy.nodeId();
    if (node != null) {
      text.append(" on [")
          .append(state.node(node).map(member -> member.name()).orElse(node))
          .append(']');
    }
    ErrorBody refusal = refusals.get(copy.copyId());
    String why = refusal == null ? reason(routing, copy) : refusal.reason();
    return why.isEmpty() ? text.toString() : text.append(": ").append(why).toString();
  }

  /** A copy keeps the reason of its assignment, which does not explain why it is promoted. */
  private static String reason(ShardRouting routing, CopyRouting copy) {
    boolean takesOver =
        copy.primary() && copy.state() == CopyRouting.State.INITIALIZING && !routing.neverStarted();
    return takesOver ? "it is being promoted or recovers" : copy.reason();
  }

  static boolean isTimeout(ErrorBody error) {
    return error.type().equals(ReadDemand.TIMEOUT_TYPE);
  }
}
