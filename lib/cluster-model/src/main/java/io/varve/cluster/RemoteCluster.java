package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.LeaseRenewal;
import io.varve.rpc.PathSegment;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A client of another cluster's coordinators. {@code seeds} are the {@code host:port} of their REST
 * endpoints; requests go to the first one that answers.
 */
public final class RemoteCluster {

  /** The error type for the removal of a lease that does not exist. */
  public static final String NO_LEASE = "retention_lease_not_found_exception";

  /**
   * The properties of a leader index that a follower needs.
   *
   * @param manifestsTopic the topic in which a follower writes its lease itself unless {@code
   *     recordsLeases}; null from a cluster without support for leases
   * @param recordsLeases whether the cluster's coordinators decide and record leases; false from a
   *     cluster below feature level 2
   */
  public record Export(
      String clusterName,
      String clusterUuid,
      String kafkaBootstrapServers,
      IndexMetadata index,
      String opsTopic,
      String opsTopicId,
      @Nullable String manifestsTopic,
      @JsonSetter(nulls = Nulls.AS_EMPTY) boolean recordsLeases) {

    /** For a cluster that does not record leases. */
    public Export(
        String clusterName,
        String clusterUuid,
        String kafkaBootstrapServers,
        IndexMetadata index,
        String opsTopic,
        String opsTopicId,
        @Nullable String manifestsTopic) {
      this(
          clusterName,
          clusterUuid,
          kafkaBootstrapServers,
          index,
          opsTopic,
          opsTopicId,
          manifestsTopic,
          false);
    }

    public Export {
      for (Object field :
          new Object[] {
            clusterName, clusterUuid, kafkaBootstrapServers, index, opsTopic, opsTopicId
          }) {
        Objects.requireNonNull(field, "the description of the leader index lacks a field");
      }
    }
  }

  /**
   * A cluster that can be followed.
   *
   * @param indices the uuids of its indices, by name
   */
  public record Description(
      String clusterName,
      String clusterUuid,
      String kafkaBootstrapServers,
      Map<String, String> indices) {

    public Description {
      for (Object told : new Object[] {clusterName, clusterUuid, kafkaBootstrapServers, indices}) {
        Objects.requireNonNull(told, "the description of the cluster lacks a field");
      }
    }
  }

  /** The cluster answered that it has no such index. */
  public static final class MissingIndexException extends IOException {
    private static final long serialVersionUID = 1L;

    public MissingIndexException(String index) {
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

  /** The answer to the renewal of a lease. */
  public sealed interface Lease {

    /**
     * The lease is active with this generation.
     *
     * @param limits by shard, for shards that are not retained because they retained too much: the
     *     first offset from which they may be retained again
     */
    record Active(long generation, Map<Integer, Long> limits) implements Lease {}

    /**
     * There is no lease of the generation that was to be renewed or replaced.
     *
     * @param newestGeneration the newest one that the holder had; 0 for none
     */
    record Missing(long newestGeneration, String reason) implements Lease {}
  }

  /**
   * The cluster does not accept the credentials. The request may succeed once they are corrected.
   */
  public static final class UnauthorizedException extends IOException {
    private static final long serialVersionUID = 1L;

    UnauthorizedException(String message) {
      super(message);
    }
  }

  private final RemoteSeeds seeds;

  public RemoteCluster(RemoteAccess access, List<String> seeds, SeedGuards guards) {
    this.seeds = new RemoteSeeds(access, seeds, guards);
  }

  /** With its own circuit breakers. */
  public RemoteCluster(HttpClient http, List<String> seeds) {
    this(RemoteAccess.plain(SecretHttpClient.withoutSecret(http)), seeds, new SeedGuards());
  }

  /**
   * @throws MissingIndexException the cluster has no such index
   * @throws RefusedException the index can't be followed
   * @throws IOException no seed answered
   */
  public Export export(String index) throws IOException, InterruptedException {
    return seeds.read(seed -> {
      HttpResponse<byte[]> response =
          seeds.fetch(seed, "/_internal/cluster/export/" + PathSegment.encode(index));
      if (response.statusCode() == 404) {
        throw new MissingIndexException(index);
      }
      return Json.read(RemoteSeeds.answer(response), Export.class);
    });
  }

  /**
   * The URL of that node; empty if the node is not in the cluster.
   *
   * @throws IOException no seed answered
   */
  public Optional<String> nodeUrl(String nodeId) throws IOException, InterruptedException {
    return seeds.read(seed -> {
      JsonNode state = tree(RemoteSeeds.answer(seeds.fetch(seed, "/_internal/cluster/state")));
      String url = state.path("nodes").path(nodeId).path("url").asString("");
      return url.isEmpty() ? Optional.empty() : Optional.of(url);
    });
  }

  private static JsonNode tree(byte[] answer) {
    try {
      return Json.mapper().readTree(answer);
    } catch (JacksonException e) {
      throw new MalformedRecordException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * @throws RefusedException the cluster is of a release without auto-follow
   * @throws IOException no seed answered
   */
  public Description describe() throws IOException, InterruptedException {
    return seeds.read(seed -> {
      HttpResponse<byte[]> response = seeds.fetch(seed, "/_internal/cluster/export");
      if (response.statusCode() == 404) {
        throw new RefusedException(
            ErrorBody.illegalArgument(
                "the cluster at [" + seed + "] is of a release without support for auto-follow"));
      }
      return Json.read(RemoteSeeds.answer(response), Description.class);
    });
  }

  /**
   * Removes the leases that the follower holds on the leader index. If that index does not exist or
   * has no such lease, this does nothing.
   *
   * @throws RefusedException leases of some shards could not be removed
   * @throws IOException no seed answered
   */
  public void forget(String leaderIndex, Follower follower)
      throws IOException, InterruptedException {
    var _ =
        seeds.first(seed -> {
          HttpResponse<byte[]> response =
              seeds.post(
                  seed, "/" + PathSegment.encode(leaderIndex) + "/_ccr/forget_follower", follower);
          return response.statusCode() == 404 || forgotten(RemoteSeeds.answer(response));
        });
  }

  /**
   * Adds or renews a follower's lease on an index of that cluster.
   *
   * @throws RefusedException the lease can't be added with these offsets
   * @throws IOException no seed answered
   */
  public Lease renew(LeaseRenewal renewal) throws IOException, InterruptedException {
    return seeds.first(seed -> {
      HttpResponse<byte[]> response = seeds.post(seed, "/_internal/cluster/leases", renewal);
      if (response.statusCode() == 404) {
        ErrorBody error = ErrorBodies.read(404, response.body());
        if (error.type().equals(NO_LEASE)) {
          long newest =
              error.fields().get("newest_generation") instanceof Number known
                  ? known.longValue()
                  : 0;
          return new Lease.Missing(newest, error.reason());
        }
      }
      LeaseRenewal.Active active =
          Json.read(RemoteSeeds.answer(response), LeaseRenewal.Active.class);
      return new Lease.Active(active.generation(), active.limits());
    });
  }

  /**
   * Ends a follower's lease on an index of that cluster, if there is one.
   *
   * @throws IOException no seed answered
   */
  public void release(LeaseRenewal.Release release) throws IOException, InterruptedException {
    var _ =
        seeds.first(seed ->
            RemoteSeeds.answer(seeds.post(seed, "/_internal/cluster/leases/released", release)));
  }

  private static boolean forgotten(byte[] answer) throws RefusedException {
    for (JsonNode failure : tree(answer).at("/_shards/failures")) {
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
  }
}
