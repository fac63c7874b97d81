package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A client of another cluster's coordinators. {@code seeds} are the {@code host:port} of their REST
 * endpoints; requests go to the first one that answers.
 */
public final class RemoteCluster {

  /** The type of a failure to remove a lease that does not exist. */
  public static final String NO_LEASE = "retention_lease_not_found_exception";

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * The properties of a leader index that a follower needs.
   *
   * @param manifestsTopic the topic of the follower's lease; null from a cluster without support
   *     for leases
   */
  public record Export(
      String clusterName,
      String clusterUuid,
      String kafkaBootstrapServers,
      IndexMetadata index,
      String opsTopic,
      String opsTopicId,
      @Nullable String manifestsTopic) {

    public Export {
      for (Object told :
          new Object[] {
            clusterName, clusterUuid, kafkaBootstrapServers, index, opsTopic, opsTopicId
          }) {
        Objects.requireNonNull(told, "the description of the leader index lacks a field");
      }
    }
  }

  /** The cluster answered that it has no such index. */
  public static final class MissingIndexException extends IOException {
    private static final long serialVersionUID = 1L;

    MissingIndexException(String index) {
      super("no such index [" + index + "]");
    }
  }

  /** The cluster refused the request, and will refuse it again. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient ErrorBody error;

    RefusedException(ErrorBody error) {
      super(error.reason());
      this.error = error;
    }

    public ErrorBody error() {
      return error;
    }
  }

  /**
   * A follower index, as {@code POST /{leader}/_ccr/forget_follower} identifies it.
   *
   * @param leaderRemoteCluster the alias of the leader's cluster in the follower's cluster
   */
  public record Follower(
      String followerCluster,
      String followerIndex,
      String followerIndexUuid,
      String leaderRemoteCluster) {}

  /** Calls one seed. */
  @FunctionalInterface
  private interface Call<T> {
    T ask(String seed) throws IOException, InterruptedException;
  }

  private final HttpClient http;
  private final List<String> seeds;

  public RemoteCluster(HttpClient http, List<String> seeds) {
    this.http = http;
    this.seeds = List.copyOf(seeds);
  }

  /**
   * @throws MissingIndexException the cluster has no such index
   * @throws RefusedException the index can't be followed
   * @throws IOException no seed answered
   */
  public Export export(String index) throws IOException, InterruptedException {
    return first(seed -> {
      HttpResponse<byte[]> response =
          send(request(seed, "/_internal/cluster/export/" + segment(index)));
      if (response.statusCode() == 404) {
        throw new MissingIndexException(index);
      }
      return Json.read(answer(response), Export.class);
    });
  }

  /**
   * Removes the leases that the follower holds on the leader index. If that index does not exist or
   * has no such lease, nothing is to be done.
   *
   * @throws RefusedException leases of some shards could not be removed
   * @throws IOException no seed answered
   */
  public void forget(String leaderIndex, Follower follower)
      throws IOException, InterruptedException {
    var _ =
        first(seed -> {
          HttpResponse<byte[]> response =
              send(
                  request(seed, "/" + segment(leaderIndex) + "/_ccr/forget_follower")
                      .header("Content-Type", "application/json")
                      .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(follower))));
          return response.statusCode() == 404 || forgotten(answer(response));
        });
  }

  private static boolean forgotten(byte[] answer) throws RefusedException {
    try {
      for (JsonNode failure : Json.mapper().readTree(answer).at("/_shards/failures")) {
        JsonNode reason = failure.path("reason");
        if (!reason.path("type").asString("").equals(NO_LEASE)) {
          throw new RefusedException(
              ErrorBody.of(
                  500,
                  reason.path("type").asString("exception"),
                  reason.path("reason").asString("")));
        }
      }
      return true;
    } catch (JacksonException e) {
      throw new MalformedRecordException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** The result of the first seed that gives one. */
  private <T> T first(Call<T> call) throws IOException, InterruptedException {
    IOException last = new IOException("no seeds are configured");
    for (String seed : seeds) {
      try {
        return call.ask(seed);
      } catch (IOException e) {
        last = e;
      } catch (IllegalArgumentException | MalformedRecordException e) {
        last = new IOException("seed [" + seed + "] is not a coordinator: " + e.getMessage(), e);
      }
    }
    throw last;
  }

  private static String segment(String index) {
    return URLEncoder.encode(index, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static HttpRequest.Builder request(String seed, String path) {
    return HttpRequest.newBuilder(URI.create("http://" + seed + path)).timeout(TIMEOUT);
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static byte[] answer(HttpResponse<byte[]> response) throws IOException {
    if (response.statusCode() == 400 || response.statusCode() == 403) {
      throw new RefusedException(ErrorBodies.read(response.statusCode(), response.body()));
    }
    if (response.statusCode() != 200) {
      throw new IOException(response.uri() + " answered " + response.statusCode());
    }
    return response.body();
  }
}
