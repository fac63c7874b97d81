package io.varve.node.http;

import io.varve.cluster.figures.NodeReport;
import io.varve.node.Heartbeats;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code GET /_internal/node}: what the node's newest sign of life would say; {@code
 * /_internal/node/figures}: all that it knows of itself.
 */
public final class NodeServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private final transient Supplier<Optional<Heartbeats>> heartbeat;
  private final transient NodeReport report;

  public NodeServlet(Supplier<Optional<Heartbeats>> heartbeat, NodeReport report) {
    this.heartbeat = heartbeat;
    this.report = report;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if ("/figures".equals(request.getPathInfo())) {
      Bodies.sendJson(response, report.read());
      return;
    }
    Optional<Heartbeats> publisher = heartbeat.get();
    if (publisher.isPresent()) {
      Bodies.sendJson(response, publisher.get().current());
    } else {
      Bodies.sendError(
          response, ErrorBody.of(503, "node_not_started_exception", "the node is starting"));
    }
  }
}
