package io.varve.replication.replica;

import io.varve.events.Json;
import io.varve.events.MergedSegment;
import io.varve.events.SnapshotId;
import io.varve.host.ShardCopy;
import io.varve.host.http.ShardEndpoint;
import io.varve.host.http.ShardEndpoints;
import io.varve.http.internal.Bodies;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;

/**
 * Merged segments that a replica copies before a manifest names them: {@code POST /merged}
 * announces one, and responds when the replica has it or after {@code wait_millis}; {@code DELETE
 * /merged/{term.number}} reports that no manifest will ever name it.
 */
public final class MergedSegmentEndpoints implements ShardEndpoints {

  private static final long MAX_WAIT_MILLIS = 10_000;

  @Override
  public Map<String, ShardEndpoint> byName() {
    return Map.of(
        "POST merged",
        MergedSegmentEndpoints::merged,
        "DELETE merged",
        MergedSegmentEndpoints::mergeIsOver);
  }

  private static void merged(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long waitMillis = Math.clamp(Bodies.longOr(request, "wait_millis", 0), 0, MAX_WAIT_MILLIS);
    MergedSegment segment = Json.read(Bodies.read(request), MergedSegment.class);
    Bodies.sendJson(response, copy.merged(segment, waitMillis));
  }

  private static void mergeIsOver(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    copy.mergeIsOver(SnapshotId.parse(rest));
    Bodies.sendJson(response, Map.of());
  }
}
