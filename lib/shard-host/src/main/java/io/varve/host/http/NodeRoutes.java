package io.varve.host.http;

import io.varve.cluster.stats.HotThreadsQuery;
import io.varve.cluster.stats.HotThreadsSampler;
import io.varve.cluster.stats.NodeReport;
import io.varve.host.Heartbeats;
import io.varve.http.internal.Bodies;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import io.varve.rpc.ApiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code GET /_internal/node}: the heartbeat that the node would publish now; {@code
 * /_internal/node/figures}: its statistics; {@code /_internal/node/hot_threads}: the stacks of its
 * busiest threads.
 */
public final class NodeRoutes {

  private static final String PREFIX = "/_internal/node";

  private final Supplier<Optional<Heartbeats>> heartbeats;
  private final HotThreadsSampler hotThreads;

  private NodeRoutes(Supplier<Optional<Heartbeats>> heartbeats, HotThreadsSampler hotThreads) {
    this.heartbeats = heartbeats;
    this.hotThreads = hotThreads;
  }

  /**
   * @param heartbeats empty until the node has started
   */
  public static InternalEndpoints of(
      Supplier<Optional<Heartbeats>> heartbeats, NodeReport report, HotThreadsSampler hotThreads) {
    NodeRoutes node = new NodeRoutes(heartbeats, hotThreads);
    return new InternalEndpoints(
        PREFIX,
        List.of(
            InternalRoute.json(PREFIX, "node", node::heartbeat),
            InternalRoute.json(PREFIX + "/figures", "node/figures", report::read),
            new InternalRoute(
                "GET", PREFIX + "/hot_threads", "node/hot_threads", node::sendHotThreads)));
  }

  private Object heartbeat() {
    return heartbeats
        .get()
        .orElseThrow(
            () -> new ApiException(503, "node_not_started_exception", "the node is starting"))
        .current();
  }

  private void sendHotThreads(InternalCall call) throws IOException, InterruptedException {
    String hot = hotThreads.sample(HotThreadsQuery.of(call.request()::getParameter));
    Bodies.send(call.response(), "text/plain", hot.getBytes(StandardCharsets.UTF_8));
  }
}
