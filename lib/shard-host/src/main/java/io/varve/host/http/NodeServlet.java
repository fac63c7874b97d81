package io.varve.host.http;

import io.varve.cluster.stats.HotThreadsQuery;
import io.varve.cluster.stats.HotThreadsSampler;
import io.varve.cluster.stats.NodeReport;
import io.varve.host.Heartbeats;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code GET /_internal/node}: what the node's newest sign of life would say; {@code
 * /_internal/node/figures}: all that it knows of itself; {@code /_internal/node/hot_threads}: what
 * its busiest threads are at.
 */
public final class NodeServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private final transient Supplier<Optional<Heartbeats>> heartbeat;
  private final transient NodeReport report;
  private final transient HotThreadsSampler hotThreads =
      new HotThreadsSampler(InstantSource.system());

  public NodeServlet(Supplier<Optional<Heartbeats>> heartbeat, NodeReport report) {
    this.heartbeat = heartbeat;
    this.report = report;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (request.getPathInfo()) {
      case "/figures" -> Bodies.sendJson(response, report.read());
      case "/hot_threads" -> sendHotThreads(request, response);
      case null, default -> sendHeartbeat(response);
    }
  }

  private void sendHotThreads(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      String hot = hotThreads.sample(HotThreadsQuery.of(request::getParameter));
      Bodies.send(response, "text/plain", hot.getBytes(StandardCharsets.UTF_8));
    } catch (ApiException e) {
      Bodies.sendError(response, e.error());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Bodies.sendError(response, ErrorBody.of(503, "node_closed_exception", "the node is closing"));
    }
  }

  private void sendHeartbeat(HttpServletResponse response) throws IOException {
    Optional<Heartbeats> publisher = heartbeat.get();
    if (publisher.isPresent()) {
      Bodies.sendJson(response, publisher.get().current());
    } else {
      Bodies.sendError(
          response, ErrorBody.of(503, "node_not_started_exception", "the node is starting"));
    }
  }
}
