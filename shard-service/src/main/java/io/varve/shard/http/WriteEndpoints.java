package io.varve.shard.http;

import io.varve.events.Json;
import io.varve.events.Operation;
import io.varve.host.ShardCopy;
import io.varve.host.http.KnownState;
import io.varve.host.http.ShardEndpoint;
import io.varve.host.http.ShardEndpoints;
import io.varve.http.internal.Bodies;
import io.varve.rpc.ApiException;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.BulkWire;
import io.varve.rpc.ReplicateWire;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The endpoints that only a primary answers: writes, refreshes, sealing, and the cursor and the
 * bootstrap of an index that follows another cluster. Any other copy answers 409.
 */
public final class WriteEndpoints implements ShardEndpoints {

  /** The header with the caller's timeout in milliseconds. */
  public static final String TIMEOUT = "Varve-Timeout-Millis";

  private final long defaultTimeoutMillis;
  private final KnownState known;

  public WriteEndpoints(long defaultTimeoutMillis, KnownState known) {
    this.defaultTimeoutMillis = defaultTimeoutMillis;
    this.known = known;
  }

  @Override
  public Map<String, ShardEndpoint> byName() {
    return Map.of(
        "POST bulk",
        this::bulk,
        "POST refresh",
        this::refresh,
        "POST seal",
        this::seal,
        "POST replicate",
        this::replicate,
        "GET ccr-cursor",
        (copy, _, _, response) -> Bodies.sendJson(response, primary(copy).cursor()),
        "GET ccr-bootstrap",
        (copy, _, _, response) -> Bodies.sendJson(response, primary(copy).bootstrap()),
        "POST ccr-bootstrap",
        this::bootstrap);
  }

  private void bulk(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long term = Bodies.requiredLong(request, "term");
    PrimaryCopy primary = primary(copy);
    try (WritePressure.Room room = admit(primary, request)) {
      byte[] items = Bodies.read(request);
      known.requireForWrite(copy.shard(), Bodies.longOr(request, "metadata_version", 0));
      byte[] results = PartWrites.write(primary, term, items, room, timeout(request));
      Bodies.send(response, BulkWire.CONTENT_TYPE, results);
    }
  }

  /**
   * Reserves memory for the request. Reads and drops the body of a refused request, so that its
   * sender receives the response.
   */
  private static WritePressure.Room admit(PrimaryCopy primary, HttpServletRequest request)
      throws IOException {
    try {
      return primary.admit(Math.max(0, request.getContentLengthLong()));
    } catch (ApiException e) {
      request.getInputStream().transferTo(OutputStream.nullOutputStream());
      throw e;
    }
  }

  private void refresh(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    Bodies.sendJson(response, primary(copy).refresh(timeout(request)));
  }

  private void seal(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long version = Bodies.requiredLong(request, "cluster_version");
    Bodies.sendJson(response, primary(copy).seal(version, timeout(request)));
  }

  private void replicate(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long assignment = Bodies.requiredLong(request, "assignment");
    PrimaryCopy primary = primary(copy);
    try (WritePressure.Room _ = admit(primary, request)) {
      List<Operation> operations = ReplicateWire.decode(Bodies.read(request));
      Bodies.sendJson(response, primary.replicate(assignment, operations, timeout(request)));
    }
  }

  private void bootstrap(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long assignment = Bodies.requiredLong(request, "assignment");
    BootstrapWire.Plan plan = Json.read(Bodies.read(request), BootstrapWire.Plan.class);
    Bodies.sendJson(response, primary(copy).bootstrap(assignment, plan));
  }

  private Duration timeout(HttpServletRequest request) {
    return timeout(request, defaultTimeoutMillis);
  }

  static Duration timeout(HttpServletRequest request, long otherwiseMillis) {
    String header = request.getHeader(TIMEOUT);
    return Duration.ofMillis(header == null ? otherwiseMillis : Long.parseLong(header));
  }

  static PrimaryCopy primary(ShardCopy copy) {
    if (copy instanceof PrimaryCopy primary) {
      return primary;
    }
    throw new ApiException(
        409, "stale_primary_exception", "this copy of " + copy.shard() + " is not its primary");
  }
}
