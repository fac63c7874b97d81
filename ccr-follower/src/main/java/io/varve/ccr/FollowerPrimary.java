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
import io.varve.rpc.ReplicateWire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The primary of a following shard in our own cluster, wherever it stands now. */
final class FollowerPrimary implements ShardPuller.Follower {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** What came of a batch. */
  sealed interface Outcome {

    record Held(ReplicateWire.Answer answer) implements Outcome {}

    /**
     * The primary is away, overloaded or does not know what became of it: ask for the cursor and go
     * on from there.
     */
    record TryAgain(String reason) implements Outcome {}

    /**
     * It refused, and will again: an operation can't be applied, or another puller has taken over.
     */
    record Refused(String reason) implements Outcome {}
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
              HttpRequest.newBuilder(URI.create(url.get() + "/ccr-cursor"))
                  .timeout(TIMEOUT)
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
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
      return new Outcome.TryAgain("the primary of " + shard + " is not started");
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url.get() + "/replicate?assignment=" + assignment))
            .timeout(TIMEOUT)
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

  private byte[] body(List<Operation> operations) {
    return ReplicateWire.encode(operations, cluster.current().has(Feature.ORIGIN_DIGESTS));
  }

  private static Outcome outcome(HttpResponse<byte[]> response) {
    if (response.statusCode() == 200) {
      return new Outcome.Held(Json.read(response.body(), ReplicateWire.Answer.class));
    }
    JsonNode error = Json.mapper().readTree(response.body()).path("error");
    String type = error.path("type").asString("");
    String reason = response.statusCode() + " " + type + ": " + error.path("reason").asString("");
    boolean passing =
        response.statusCode() == 404
            || response.statusCode() == 429
            || response.statusCode() >= 500
            || type.equals("stale_primary_exception")
            || type.equals("history_gap_exception");
    return passing ? new Outcome.TryAgain(reason) : new Outcome.Refused(reason);
  }

  private Optional<String> url() {
    ClusterState state = cluster.current();
    return state
        .shard(shard)
        .map(ShardRouting::primary)
        .filter(CopyRouting::started)
        .map(CopyRouting::nodeId)
        .flatMap(state::node)
        .map(NodeInfo::url)
        .map(u -> u + "/_internal/shards/" + shard.indexUuid() + "/" + shard.number());
  }
}
