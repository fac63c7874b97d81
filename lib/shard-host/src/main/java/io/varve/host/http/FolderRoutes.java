package io.varve.host.http;

import io.varve.engine.Checkpoint;
import io.varve.events.ShardId;
import io.varve.host.HostedCopies;
import io.varve.host.NodeContext;
import io.varve.host.OpenedLog;
import io.varve.host.RestingCopies;
import io.varve.host.ShardCopy;
import io.varve.http.internal.Bodies;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import io.varve.log.LogBeginning;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.FolderPosition;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /_internal/folders/{index}/{number}}: the position of the copy of a shard in this
 * node's folder, whether or not the cluster state places one here, and whether the log still
 * matches it.
 *
 * <p>An open copy first has to read the end of its log. If the end does not match, the copy commits
 * what it has applied and closes; until then the answer is 503. A copy of a term before the revival
 * of the shard answers immediately: its data is discarded, and it reaches the end of the log only
 * after the primary, which may be the process that asks. An open copy needs no further records of
 * the log.
 */
public final class FolderRoutes {

  private static final String PREFIX = "/_internal/folders";
  private static final Duration LOG_TIMEOUT = Duration.ofSeconds(10);

  private final NodeContext node;
  private final HostedCopies copies;
  private final RestingCopies folders;

  FolderRoutes(NodeContext node, HostedCopies copies) {
    this.node = node;
    this.copies = copies;
    this.folders = new RestingCopies(node);
  }

  public static InternalEndpoints of(NodeContext node, HostedCopies copies) {
    FolderRoutes routes = new FolderRoutes(node, copies);
    return new InternalEndpoints(
        PREFIX,
        List.of(
            new InternalRoute("GET", PREFIX + "/{index}/{number}", "folders", routes::position)));
  }

  private void position(InternalCall call) throws IOException, InterruptedException {
    String number = call.requiredVariable("number");
    if (!number.matches("\\d{1,9}")) {
      throw new ApiException(404, "resource_not_found_exception", "no shard " + number);
    }
    ShardId shard = new ShardId(call.requiredVariable("index"), Integer.parseInt(number));
    Bodies.sendJson(call.response(), position(shard));
  }

  /**
   * The end position of the copy.
   *
   * @throws ApiException 503 while it closes: operations that it has applied are in the folder only
   *     after that
   */
  FolderPosition position(ShardId shard) throws InterruptedException {
    Optional<ShardCopy> open = copies.copy(shard).filter(FolderRoutes::mayHoldMore);
    if (copies.isClosing(shard)) {
      throw closing(shard);
    }
    if (open.isEmpty()) {
      return ofFolder(shard);
    }
    FolderPosition position = ofOpen(shard, open.get());
    if (!copies.copy(shard).equals(open)) {
      throw closing(shard);
    }
    return position;
  }

  /** Whether the copy may have applied more than its folder holds. */
  private static boolean mayHoldMore(ShardCopy copy) {
    return switch (copy.state()) {
      case STARTED, GATE_CLOSED, FAILED -> true;
      case EMPTY, STARTING, REPLAYING, COPYING, OPENED, CLOSED -> false;
    };
  }

  private FolderPosition ofOpen(ShardId shard, ShardCopy copy) throws InterruptedException {
    if (copy.term() >= beginning(shard).revivedTerm()) {
      var _ = copy.logEnd().newest(LOG_TIMEOUT);
    }
    return new FolderPosition(true, copy.readable().current() + 1, copy.term(), true, null);
  }

  private FolderPosition ofFolder(ShardId shard) {
    Checkpoint held = folders.checkpoint(shard);
    return new FolderPosition(
        held.nextOffset() > 0,
        held.nextSeqNo(),
        held.fenceTerm(),
        !beginning(shard).isBehind(OpenedLog.position(held)),
        lost(shard, held));
  }

  private LogBeginning beginning(ShardId shard) {
    try {
      return LogBeginning.of(log(shard));
    } catch (LogException e) {
      throw unreadable(shard, e);
    }
  }

  private @Nullable String lost(ShardId shard, Checkpoint held) {
    try {
      return LogContinuity.check(log(shard), OpenedLog.position(held))
              instanceof LogContinuity.Outcome.Lost(var reason)
          ? reason
          : null;
    } catch (LogException e) {
      throw unreadable(shard, e);
    }
  }

  private PartitionLog log(ShardId shard) {
    return node.log().open(node.topics().operations(shard.indexUuid()), shard.number());
  }

  private static ApiException closing(ShardId shard) {
    return new ApiException(
        503, "unavailable_shards_exception", "the copy of " + shard + " is closing");
  }

  private static ApiException unreadable(ShardId shard, LogException e) {
    return new ApiException(
        503,
        "unavailable_shards_exception",
        "the log of " + shard + " can't be read: " + e.getMessage());
  }
}
