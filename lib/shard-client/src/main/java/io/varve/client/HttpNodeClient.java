package io.varve.client;

import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.FolderPosition;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.TaskInfo;
import io.varve.rpc.TaskOutcome;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Client of a node's internal HTTP endpoints under {@code /_internal/searches/}. */
public final class HttpNodeClient implements NodeClient {

  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final String ROOT = "/_internal/searches";

  private final NodeHttp http;

  public HttpNodeClient(NodeHttp http) {
    this.http = http;
  }

  @Override
  public Map<String, Integer> release(NodeInfo node, Collection<String> contexts, Duration timeout)
      throws InterruptedException {
    byte[] body = Json.write(Map.of("ids", List.copyOf(contexts)));
    byte[] answer =
        ask(
            node,
            NodeRequest.post(node, ROOT + "/release", body, timeout)
                .header("Content-Type", "application/json"));
    return Json.mapper().readValue(answer, new TypeReference<Map<String, Integer>>() {});
  }

  @Override
  public int releaseScrolls(NodeInfo node, Duration timeout) throws InterruptedException {
    byte[] answer = ask(node, post(node, "/release-scrolls", timeout));
    return Json.mapper().readTree(answer).path("scrolls").asInt(0);
  }

  @Override
  public FolderPosition folder(NodeInfo node, ShardId shard, Duration timeout)
      throws InterruptedException {
    String path = "/_internal/folders/" + shard.indexUuid() + "/" + shard.number();
    return Json.read(ask(node, NodeRequest.get(node, path, timeout)), FolderPosition.class);
  }

  @Override
  public List<Pit> pits(NodeInfo node, Duration timeout) throws InterruptedException {
    byte[] answer = ask(node, get(node, "/pits", timeout));
    return Json.mapper().readValue(answer, new TypeReference<List<Pit>>() {});
  }

  @Override
  public List<TaskInfo> tasks(NodeInfo node, String parent, Duration timeout)
      throws InterruptedException {
    byte[] answer = ask(node, get(node, "/tasks?parent=" + encoded(parent), timeout));
    return Json.mapper().readValue(answer, new TypeReference<List<TaskInfo>>() {});
  }

  @Override
  public TaskOutcome task(NodeInfo coordinator, long number, Duration timeout)
      throws InterruptedException {
    String path = "/task?number=" + number + "&timeout_millis=" + timeout.toMillis();
    return Json.read(
        ask(coordinator, get(coordinator, path, timeout.plus(GRACE))), TaskOutcome.class);
  }

  @Override
  public @Nullable ErrorBody cancelTask(NodeInfo coordinator, long number, Duration timeout)
      throws InterruptedException {
    String path = "/cancel-task?number=" + number;
    try {
      ask(coordinator, post(coordinator, path, timeout));
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
    byte[] answer = ask(coordinator, post(coordinator, path, timeout));
    return Json.read(answer, TaskOutcome.class).task();
  }

  @Override
  public NodeLoad load(NodeInfo node, Duration timeout) throws InterruptedException {
    byte[] answer = ask(node, get(node, "/load", timeout));
    return NodeLoad.of(new String(answer, StandardCharsets.US_ASCII));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void cancel(NodeInfo node, String task, Duration timeout) throws InterruptedException {
    String path = "/cancel?parent=" + encoded(task);
    ask(node, post(node, path, timeout));
  }

  private static NodeRequest get(NodeInfo node, String path, Duration timeout) {
    return NodeRequest.get(node, ROOT + path, timeout);
  }

  private static NodeRequest post(NodeInfo node, String path, Duration timeout) {
    return NodeRequest.post(node, ROOT + path, timeout);
  }

  private byte[] ask(NodeInfo node, NodeRequest request) throws InterruptedException {
    NodeHttp.Answer answer;
    try {
      answer = http.send(request);
    } catch (IOException e) {
      throw new UnreachableException("[" + node.name() + "][" + node.url() + "] " + e, e);
    }
    if (answer.status() != 200) {
      throw new ApiException(ErrorBodies.read(answer.status(), answer.body()));
    }
    return answer.body();
  }
}
