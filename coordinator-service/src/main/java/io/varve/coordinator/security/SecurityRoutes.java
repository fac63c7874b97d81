package io.varve.coordinator.security;

import io.varve.control.LeaderErrors;
import io.varve.coordinator.cluster.AppliedRequests;
import io.varve.events.Json;
import io.varve.http.internal.Bodies;
import io.varve.http.internal.InternalCall;
import io.varve.http.internal.InternalEndpoints;
import io.varve.http.internal.InternalRoute;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBodies;
import io.varve.security.SecurityCommand;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The endpoints by which coordinators send changes of the security state to the leader, and ask
 * each other which version of it they have applied.
 */
final class SecurityRoutes {

  private static final String PREFIX = "/_internal/security";
  private static final String COMMANDS = PREFIX + "/commands";

  /** For {@link io.varve.coordinator.cluster.AppliedRequests}. */
  static final String APPLIED = PREFIX + "/applied";

  private static final long DEFAULT_TIMEOUT_MILLIS = 10_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private SecurityRoutes() {}

  static InternalEndpoints of(SecurityNode node) {
    return new InternalEndpoints(
        PREFIX,
        List.of(
            new InternalRoute("POST", COMMANDS, "security/commands", call -> carryOut(node, call)),
            new InternalRoute("GET", APPLIED, "security/applied", call -> applied(node, call))));
  }

  private static void applied(SecurityNode node, InternalCall call)
      throws IOException, InterruptedException {
    HttpServletRequest request = call.request();
    String timeoutMillis = request.getHeader(AppliedRequests.TIMEOUT_HEADER);
    Duration timeout =
        Duration.ofMillis(
            timeoutMillis == null ? DEFAULT_TIMEOUT_MILLIS : Long.parseLong(timeoutMillis));
    long version = node.awaitApplied(Bodies.requiredLong(request, "version"), timeout);
    Bodies.sendJson(call.response(), new ClusterCalls.Applied(version));
  }

  private static void carryOut(SecurityNode node, InternalCall call)
      throws IOException, InterruptedException {
    SecurityCommand command = Json.read(Bodies.read(call.request()), SecurityCommand.class);
    Bodies.sendJson(call.response(), node.executeLocally(command));
  }

  /** The sender that calls this endpoint of the leader. */
  static SecurityNode.Sender sender(HttpClient http) {
    return (url, command) -> {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + COMMANDS))
              .timeout(TIMEOUT)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofByteArray(command))
              .build();
      try {
        return read(http.send(request, HttpResponse.BodyHandlers.ofByteArray()));
      } catch (ConnectException | HttpConnectTimeoutException e) {
        return Optional.empty();
      } catch (IOException e) {
        throw LeaderErrors.unknownOutcome("the leader at " + url + " did not answer: " + e);
      }
    };
  }

  private static Optional<SecurityCommands.Applied> read(HttpResponse<byte[]> response) {
    if (response.statusCode() == 200) {
      return Optional.of(Json.read(response.body(), SecurityCommands.Applied.class));
    }
    if (LeaderErrors.isMisdirected(response)) {
      return Optional.empty();
    }
    throw new ApiException(ErrorBodies.read(response.statusCode(), response.body()));
  }
}
