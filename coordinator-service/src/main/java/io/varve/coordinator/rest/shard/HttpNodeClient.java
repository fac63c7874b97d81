package io.varve.coordinator.rest.shard;

import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.TaskInfo;
import io.varve.rpc.TaskOutcome;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** The internal HTTP of a node, as a client: {@code /_internal/searches/}. */
public final class HttpNodeClient implements NodeClient {

  private static final Duration GRACE = Duration.ofSeconds(2);

  private final HttpClient http;

  public HttpNodeClient(HttpClient http) {
    this.http = http;
  }

  @Override
  public Map<String, Integer> release(NodeInfo node, Collection<String> contexts, Duration timeout)
      throws InterruptedException {
    byte[] body = Json.write(Map.of("ids", List.copyOf(contexts)));
    byte[] answer = ask(node, to(node, "/release", timeout).POST(BodyPublishers.ofByteArray(body)));
    return Json.mapper().readValue(answer, new TypeReference<Map<String, Integer>>() {});
  }

  @Override
  public int releaseScrolls(NodeInfo node, Duration timeout) throws InterruptedException {
    byte[] answer = ask(node, to(node, "/release-scrolls", timeout).POST(BodyPublishers.noBody()));
    return Json.mapper().readTree(answer).path("scrolls").asInt(0);
  }

  @Override
  public List<Pit> pits(NodeInfo node, Duration timeout) throws InterruptedException {
    byte[] answer = ask(node, to(node, "/pits", timeout).GET());
    return Json.mapper().readValue(answer, new TypeReference<List<Pit>>() {});
  }

  @Override
  public List<TaskInfo> tasks(NodeInfo node, String parent, Duration timeout)
      throws InterruptedException {
    byte[] answer = ask(node, to(node, "/tasks?parent=" + encoded(parent), timeout).GET());
    return Json.mapper().readValue(answer, new TypeReference<List<TaskInfo>>() {});
  }

  @Override
  public TaskOutcome task(NodeInfo coordinator, long number, Duration timeout)
      throws InterruptedException {
    String path = "/task?number=" + number + "&timeout_millis=" + timeout.toMillis();
    HttpRequest.Builder request = to(coordinator, path, timeout.plus(GRACE)).GET();
    return Json.read(ask(coordinator, request), TaskOutcome.class);
  }

  @Override
  public @Nullable ErrorBody cancelTask(NodeInfo coordinator, long number, Duration timeout)
      throws InterruptedException {
    String path = "/cancel-task?number=" + number;
    try {
      ask(coordinator, to(coordinator, path, timeout).POST(BodyPublishers.noBody()));
      return null;
    } catch (ApiException e) {
      return e.error();
    }
  }

  @Override
  public @Nullable TaskInfo rethrottle(
      NodeInfo coordinator, long number, float perSecond, Duration timeout)
      throws InterruptedException {
    String path = "/rethrottle?number=" + number + "&requests_per_second=" + perSecond;
    byte[] answer = ask(coordinator, to(coordinator, path, timeout).POST(BodyPublishers.noBody()));
    return Json.read(answer, TaskOutcome.class).task();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void cancel(NodeInfo node, String task, Duration timeout) throws InterruptedException {
    String path = "/cancel?parent=" + encoded(task);
    ask(node, to(node, path, timeout).POST(BodyPublishers.noBody()));
  }

  private static HttpRequest.Builder to(NodeInfo node, String path, Duration timeout) {
    return HttpRequest.newBuilder(URI.create(node.url() + "/_internal/searches" + path))
        .timeout(Timeouts.ofUser(timeout))
        .header("Content-Type", "application/json");
  }

  private byte[] ask(NodeInfo node, HttpRequest.Builder request) throws InterruptedException {
    HttpResponse<byte[]> response;
    try {
      response = http.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException | UnresolvedAddressException e) {
      throw new UnreachableException("[" + node.name() + "][" + node.url() + "] " + e, e);
    }
    if (response.statusCode() != 200) {
      throw new ApiException(ErrorBodies.read(response.statusCode(), response.body()));
    }
    return response.body();
  }
}
