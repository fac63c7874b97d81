package io.varve.conformance.run;

import io.varve.conformance.spec.ApiRequest;
import io.varve.standalone.RestAccess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Sends requests to the server under test. Not thread-safe. */
public final class ServerClient implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static final Pattern OPENS_CONTEXT = Pattern.compile("scroll|point_in_time");

  private final String url;

  // The server may hold contexts of earlier users.
  private boolean mayHoldContexts = true;

  private final RestAccess access;
  private final HttpClient client;

  public ServerClient(String url, RestAccess access) {
    this.access = access;
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    access.tls().ifPresent(builder::sslContext);
    this.client = builder.build();
    this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /** Whether a request since the last call may have opened a scroll or a point in time. */
  boolean takeMayHoldContexts() {
    boolean may = mayHoldContexts;
    mayHoldContexts = false;
    return may;
  }

  /** Sends a request and returns the response; a missing response fails the test. */
  ApiResponse send(ApiRequest request, Map<String, String> headers) {
    mayHoldContexts |=
        !request.method().equals("DELETE") && OPENS_CONTEXT.matcher(request.target()).find();
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(url + request.target())).timeout(TIMEOUT);
    String contentType = headers.getOrDefault("Content-Type", "application/json");
    access.authorization().get().ifPresent(value -> builder.setHeader("Authorization", value));
    headers.forEach(builder::setHeader);
    if (request.bodies().isEmpty()) {
      builder.method(request.method(), HttpRequest.BodyPublishers.noBody());
    } else {
      builder.setHeader("Content-Type", contentType);
      builder.method(
          request.method(),
          HttpRequest.BodyPublishers.ofString(render(request.bodies(), contentType)));
    }
    try {
      HttpResponse<byte[]> response =
          client.send(builder.build(), HttpResponse.BodyHandlers.ofByteArray());
      String text = new String(response.body(), StandardCharsets.UTF_8);
      String answerType = response.headers().firstValue("Content-Type").orElse("");
      return new ApiResponse(
          response.statusCode(),
          text,
          parse(text, answerType),
          request.method().equals("HEAD"),
          response.headers().allValues("Warning"));
    } catch (IOException e) {
      throw new CheckFailure(request + " got no response: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CheckFailure(request + " was interrupted");
    }
  }

  /** Joins several bodies as the lines of one body. */
  private static String render(List<Object> bodies, String contentType) {
    ObjectMapper mapper = contentType.contains("yaml") ? YAML : JSON;
    if (bodies.size() == 1) {
      return mapper.writeValueAsString(bodies.getFirst());
    }
    StringBuilder lines = new StringBuilder();
    for (Object body : bodies) {
      lines.append(JSON.writeValueAsString(body)).append('\n');
    }
    return lines.toString();
  }

  private static @Nullable Object parse(String text, String contentType) {
    if (text.isEmpty()) {
      return null;
    }
    if (contentType.contains("json")) {
      return JSON.readValue(text, Object.class);
    }
    return contentType.contains("yaml") ? YAML.readValue(text, Object.class) : null;
  }

  @Override
  public void close() {
    client.close();
  }
}
