package io.varve.coordinator.cluster;

import io.varve.control.LeaderErrors;
import io.varve.control.command.ClusterCommand;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBodies;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.OptionalLong;

/** Sends commands to the leading coordinator. */
final class CommandSender {

  static final String TIMEOUT_HEADER = "Varve-Timeout-Millis";

  private final HttpClient http;

  CommandSender(HttpClient http) {
    this.http = http;
  }

  /**
   * Returns the version of the state that contains the change; empty if that coordinator certainly
   * did not execute the command, because it was not reached or does not lead. Throws an {@link
   * ApiException} with its refusal, or 503 when it did not answer.
   */
  OptionalLong carryOut(String url, ClusterCommand command, Duration timeout)
      throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/_internal/cluster/commands"))
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .header(TIMEOUT_HEADER, Long.toString(timeout.toMillis()))
            .POST(HttpRequest.BodyPublishers.ofByteArray(json(command)))
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return read(response);
    } catch (ConnectException | HttpConnectTimeoutException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw LeaderErrors.unknownOutcome("the leader at " + url + " did not answer: " + e);
    }
  }

  private static OptionalLong read(HttpResponse<byte[]> response) {
    if (response.statusCode() == 200) {
      return OptionalLong.of(Json.read(response.body(), ClusterCalls.Applied.class).version());
    }
    if (LeaderErrors.isMisdirected(response)) {
      return OptionalLong.empty();
    }
    throw new ApiException(ErrorBodies.read(response.statusCode(), response.body()));
  }

  /** Writes the command as its interface type; otherwise the command's name would be missing. */
  static byte[] json(ClusterCommand command) {
    return Json.mapper().writerFor(ClusterCommand.class).writeValueAsBytes(command);
  }
}
