package io.varve.coordinator.cluster;

import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Asks other coordinators over HTTP to answer when they have applied a version. Those below the
 * level of {@code APPLIED_VERSIONS} do not have these endpoints.
 */
public final class AppliedRequests implements AppliedWait.Requests {

  /** The header with the time after which a coordinator answers in any case. */
  public static final String TIMEOUT_HEADER = CommandSender.TIMEOUT_HEADER;

  /** The endpoint for the cluster state. */
  static final String CLUSTER_STATE = "/_internal/cluster/applied";

  private final HttpClient http;
  private final String path;
  private final Consumer<String> onDisconnected;

  /**
   * @param path of the endpoint
   * @param onDisconnected gets the URL of a request whose connection was refused or broke
   */
  public AppliedRequests(HttpClient http, String path, Consumer<String> onDisconnected) {
    this.http = http;
    this.path = path;
    this.onDisconnected = onDisconnected;
  }

  @Override
  public long appliedVersion(NodeInfo coordinator, long version, Duration timeout)
      throws IOException, InterruptedException {
    String url = coordinator.url() + path + "?version=" + version;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(timeout)
            .header(TIMEOUT_HEADER, Long.toString(timeout.toMillis()))
            .GET()
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new IOException(url + " answered " + response.statusCode());
      }
      return Json.read(response.body(), ClusterCalls.Applied.class).version();
    } catch (HttpTimeoutException e) {
      throw e;
    } catch (IOException e) {
      onDisconnected.accept(url);
      throw e;
    }
  }
}
