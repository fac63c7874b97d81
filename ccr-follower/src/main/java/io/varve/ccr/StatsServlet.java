package io.varve.ccr;

import io.varve.events.Json;
import io.varve.rpc.PullerStats;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** How far this node's pullers are: a JSON array of {@link PullerStats}. */
final class StatsServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  private final transient FollowHost host;

  StatsServlet(FollowHost host) {
    this.host = host;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("application/json");
    response.getOutputStream().write(Json.write(host.stats()));
  }
}
