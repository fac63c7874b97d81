package io.varve.standalone.cluster;

import io.varve.events.Json;
import io.varve.standalone.RestAccess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** A client of one coordinator that counts errors instead of throwing. Thread-safe. */
final class ChaosClient implements AutoCloseable {

  private final HttpClient http;
  private final String url;
  private final RestAccess access;
  private final ErrorKinds errors;

  ChaosClient(String url, RestAccess access, ErrorKinds errors) {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5));
    access.tls().ifPresent(client::sslContext);
    this.http = client.build();
    this.url = url;
    this.access = access;
    this.errors = errors;
  }

  /**
   * A response of any status.
   *
   * @param session the session token in the response, or empty
   */
  record Answer(int status, JsonNode json, String session) {

    boolean isDone() {
      return status / 100 == 2;
    }

    String errorType() {
      return json.at("/error/type").asString("");
    }
  }

  /** Calls the server; empty if there was no response. */
  Optional<Answer> call(String method, String path, @Nullable String body) {
    return call(method, path, body, "");
  }

  /** Calls the server with a session token. */
  Optional<Answer> call(String method, String path, @Nullable String body, String session) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofMinutes(2))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    access.authorization().get().ifPresent(value -> request.header("Authorization", value));
    if (!session.isEmpty()) {
      request.header("Varve-Session", session);
    }
    try {
      return Optional.of(
          counted(
              method + " " + path,
              http.send(request.build(), HttpResponse.BodyHandlers.ofString())));
    } catch (IOException e) {
      errors.noAnswer();
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private Answer counted(String request, HttpResponse<String> response) {
    JsonNode json = MissingNode.getInstance();
    try {
      json = Json.mapper().readTree(response.body());
      errors.answered(request, response.statusCode(), json);
    } catch (JacksonException e) {
      errors.unreadable(request, response.statusCode(), response.body());
    }
    String session = response.headers().firstValue("Varve-Session").orElse("");
    return new Answer(response.statusCode(), json, session);
  }

  @Override
  public void close() {
    http.close();
  }
}
