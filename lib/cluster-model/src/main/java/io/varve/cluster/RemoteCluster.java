package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
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

/**
 * A client of another cluster's coordinators. {@code seeds} are the {@code host:port} of their REST
 * endpoints; requests go to the first one that answers.
 */
public final class RemoteCluster {

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

  private final HttpClient http;
  private final List<String> seeds;

  public RemoteCluster(HttpClient http, List<String> seeds) {
    this.http = http;
    this.seeds = List.copyOf(seeds);
  }

  /**
   * @throws IOException no seed answered, or the index does not exist
   */
  public Export export(String index) throws IOException, InterruptedException {
    IOException last = new IOException("no seeds are configured");
    for (String seed : seeds) {
      try {
        return ask(seed, index);
      } catch (IOException e) {
        last = e;
      } catch (IllegalArgumentException | MalformedRecordException e) {
        last = new IOException("seed [" + seed + "] is not a coordinator: " + e.getMessage(), e);
      }
    }
    throw last;
  }

  private Export ask(String seed, String index) throws IOException, InterruptedException {
    String segment = URLEncoder.encode(index, StandardCharsets.UTF_8).replace("+", "%20");
    URI uri = URI.create("http://" + seed + "/_internal/cluster/export/" + segment);
    HttpResponse<byte[]> response =
        http.send(
            HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() == 404) {
      throw new MissingIndexException(index);
    }
    if (response.statusCode() != 200) {
      throw new IOException(uri + " answered " + response.statusCode());
    }
    return Json.read(response.body(), Export.class);
  }
}
