package io.varve.ccr;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.Json;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A client of the primary of a follower's shard in this cluster; it finds the node that has the
 * primary now.
 */
final class FollowerPrimary implements ShardPuller.Follower {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The outcome of sending a batch. */
  sealed interface Outcome {

    record Held(ReplicateWire.Answer answer) implements Outcome {}

    /**
     * The primary is unavailable, is overloaded or does not know the outcome; the puller requests
     * the cursor and resumes from it.
     *
     * @param isGap whether the primary lacks operations before the batch
     */
    record TryAgain(String reason, boolean isGap) implements Outcome {
      TryAgain(String reason) {
        this(reason, false);
      }
    }

    /**
     * The primary refused the batch and will refuse it again: an operation can't be applied, or
     * another puller has taken over.
     *
     * @param operation that can't be applied; null if the refusal is not about one
     */
    record Refused(String reason, PullerStats.@Nullable Refused operation) implements Outcome {
      Refused(String reason) {
        this(reason, null);
      }
    }
  }

  private final HttpClient http;
  private final ClusterView cluster;
  private final ShardId shard;

  FollowerPrimary(HttpClient http, ClusterView cluster, ShardId shard) {
    this.http = http;
    this.cluster = cluster;
    this.shard = shard;
  }

  @Override
  public Optional<ReplicateWire.Cursor> cursor() throws InterruptedException {
    Optional<String> url = url();
    if (url.isEmpty()) {
      return Optional.empty();
    }
    try {
      HttpResponse<byte[]> response =
          http.send(
              request(url.get() + "/ccr-cursor").build(), HttpResponse.BodyHandlers.ofByteArray());
      return response.statusCode() == 200
          ? Optional.of(Json.read(response.body(), ReplicateWire.Cursor.class))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public Outcome replicate(long assignment, List<Operation> operations)
      throws InterruptedException {
    Optional<String> url = url();
    if (url.isEmpty()) {
      return new Outcome.TryAgain("the primary of " + shard + " has no node");
    }
    HttpRequest request =
        request(url.get() + "/replicate?assignment=" + assignment)
            .header("Content-Type", ReplicateWire.CONTENT_TYPE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body(operations)))
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return outcome(response);
    } catch (IOException e) {
      return new Outcome.TryAgain("the primary of " + shard + " did not answer: " + e.getMessage());
    }
  }

  @Override
  public Optional<BootstrapWire.Status> bootstrap() throws InterruptedException {
    Optional<String> url = url();
    if (url.isEmpty()) {
      return Optional.empty();
    }
    try {
      return status(request(url.get() + "/ccr-bootstrap").build());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void begin(long assignment, BootstrapWire.Plan plan)
      throws IOException, InterruptedException {
    String url = url().orElseThrow(() -> new IOException("the primary has no node"));
    HttpRequest request =
        request(url + "/ccr-bootstrap?assignment=" + assignment)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(plan)))
            .build();
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      throw new IOException(
          "the primary of "
              + shard
              + " refused the plan: "
              + reason(response.statusCode(), error(response)));
    }
  }

  private Optional<BootstrapWire.Status> status(HttpRequest request)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    return response.statusCode() == 200
        ? Optional.of(Json.read(response.body(), BootstrapWire.Status.class))
        : Optional.empty();
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT);
  }

  private byte[] body(List<Operation> operations) {
    return ReplicateWire.encode(operations, cluster.current().has(Feature.ORIGIN_DIGESTS));
  }

  private static Outcome outcome(HttpResponse<byte[]> response) {
    if (response.statusCode() == 200) {
      return new Outcome.Held(Json.read(response.body(), ReplicateWire.Answer.class));
    }
    return refused(response.statusCode(), error(response));
  }

  /**
   * The outcome of a batch that the primary answered with an error.
   *
   * @param error the value of {@code error} in its response
   */
  static Outcome refused(int status, JsonNode error) {
    String type = error.path("type").asString("");
    String reason = reason(status, error);
    boolean isGap = type.equals("history_gap_exception");
    boolean passing =
        status == 404
            || status == 429
            || status >= 500
            || type.equals("stale_primary_exception")
            || type.equals(ReplicateWire.CONFLICT)
            || isGap;
    return passing
        ? new Outcome.TryAgain(reason, isGap)
        : new Outcome.Refused(reason, operation(error));
  }

  private static PullerStats.@Nullable Refused operation(JsonNode error) {
    JsonNode offset = error.path(ReplicateWire.REFUSED_OFFSET);
    return offset.isIntegralNumber()
        ? new PullerStats.Refused(
            offset.asLong(), error.path(ReplicateWire.REFUSED_SEQ_NO).asLong(-1))
        : null;
  }

  private static JsonNode error(HttpResponse<byte[]> response) {
    return Json.mapper().readTree(response.body()).path("error");
  }

  private static String reason(int status, JsonNode error) {
    return status
        + " "
        + error.path("type").asString("")
        + ": "
        + error.path("reason").asString("");
  }

  /**
   * The URL of the primary, which may still be starting: a primary that copied segments starts only
   * when its log has the operations in these segments.
   */
  private Optional<String> url() {
    ClusterState state = cluster.current();
    return state
        .shard(shard)
        .map(ShardRouting::primary)
        .map(CopyRouting::nodeId)
        .flatMap(state::node)
        .map(NodeInfo::url)
        .map(u -> u + "/_internal/shards/" + shard.indexUuid() + "/" + shard.number());
  }
}
