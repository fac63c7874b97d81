package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.events.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** A REST client of one coordinator. */
public final class RestCalls implements AutoCloseable {

  private final HttpClient http;
  private final String url;
  private final Duration timeout;
  private final Supplier<Optional<String>> authorization;

  public RestCalls(String url) {
    this(url, Duration.ofMinutes(2));
  }

  /**
   * Creates a client.
   *
   * @param timeout limit for each call, from its start to the last byte of the response
   */
  public RestCalls(String url, Duration timeout) {
    this(url, timeout, RestAccess.PLAIN);
  }

  /** Creates a client of a secured coordinator. */
  public RestCalls(String url, Duration timeout, RestAccess access) {
    this.url = url;
    this.timeout = timeout;
    this.authorization = access.authorization();
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5));
    access.tls().ifPresent(client::sslContext);
    this.http = client.build();
  }

  /** The header {@code Authorization} of a user. */
  public static String basic(String user, String password) {
    return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
  }

  /** A response: status and body. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Answer(int status, byte[] body) {

    public JsonNode json() {
      return Json.mapper().readTree(body);
    }

    public String text() {
      return new String(body, UTF_8);
    }

    /** Returns this response if its status is 2xx, and throws otherwise. */
    public Answer orThrow() {
      if (status / 100 != 2) {
        throw new IllegalStateException("status " + status + ": " + text());
      }
      return this;
    }
  }

  public Answer call(String method, String path, String json) throws IOException {
    return call(method, path, "application/json", json.getBytes(UTF_8));
  }

  public Answer call(String method, String path, String contentType, byte[] body)
      throws IOException {
    return send(
        request(path)
            .header("Content-Type", contentType)
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(timeout);
    authorization.get().ifPresent(value -> request.header("Authorization", value));
    return request;
  }

  public Answer get(String path) throws IOException {
    return send(request(path).build());
  }

  private Answer send(HttpRequest request) throws IOException {
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while calling " + request.uri(), e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
