package io.varve.coordinator.rest.ccr;

import static io.varve.rest.JsonObjects.object;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.RemoteAccess;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.RemoteSettings;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code _remote/info}: the remote clusters and the number of their seeds that answer. Connections
 * are not kept open: each request connects to the first seed that answers.
 */
public final class RemoteInfoEndpoint implements RestEndpoint {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteInfoEndpoint.class);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);

  private final ClusterAccess cluster;
  private final RemoteFiles files;
  private final Parallel parallel;

  public RemoteInfoEndpoint(ClusterAccess cluster, RemoteFiles files, Parallel parallel) {
    this.cluster = cluster;
    this.files = files;
    this.parallel = parallel;
  }

  private record Seed(String alias, String address) {}

  @Override
  public List<Route> routes() {
    return Route.get("/_remote/info");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return responder -> {
      Map<String, List<String>> remotes = ClusterSettings.remoteSeeds(cluster.state());
      List<Seed> seeds =
          remotes.entrySet().stream()
              .flatMap(remote -> remote.getValue().stream().map(a -> new Seed(remote.getKey(), a)))
              .toList();
      List<String> answering = parallel.map(seeds, seed -> answers(seed) ? seed.alias() : "");
      Map<String, Object> shown = new LinkedHashMap<>();
      new TreeMap<>(remotes)
          .forEach((alias, addresses) ->
              shown.put(
                  alias,
                  remote(alias, addresses, answering.stream().filter(alias::equals).count())));
      responder.json(200, shown);
    };
  }

  private Map<String, Object> remote(String alias, List<String> addresses, long answering) {
    String skip = "cluster.remote." + alias + ".skip_unavailable";
    return object(
        "connected",
        answering > 0,
        "mode",
        "sniff",
        "seeds",
        addresses,
        "num_nodes_connected",
        answering,
        "max_connections_per_cluster",
        addresses.size(),
        "initial_connect_timeout",
        PROBE_TIMEOUT.toSeconds() + "s",
        "skip_unavailable",
        Boolean.valueOf(
            Objects.requireNonNullElse(ClusterSettings.value(cluster.state(), skip), "false")));
  }

  /** A seed that does not accept the credentials does not count. */
  private boolean answers(Seed seed) throws InterruptedException {
    try {
      RemoteAccess access =
          files.access(RemoteSettings.of(cluster.state(), seed.alias()).orElseThrow());
      access.require(seed.address());
      HttpRequest.Builder question =
          HttpRequest.newBuilder(URI.create(access.scheme() + "://" + seed.address() + "/"))
              .timeout(PROBE_TIMEOUT);
      access.authorization().ifPresent(value -> question.header("Authorization", value));
      int status =
          access.http().send(question.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
      return status < 500 && status != 401;
    } catch (IOException | IllegalArgumentException | NoSuchElementException e) {
      LOG.debug("seed {} does not answer", seed.address(), e);
      return false;
    }
  }
}
