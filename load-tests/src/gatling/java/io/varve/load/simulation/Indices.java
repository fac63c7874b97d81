package io.varve.load.simulation;

import io.varve.events.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The indices of a workload: deleted, created and counted outside of the measurement. */
final class Indices {

  private final String url;
  private final Workload workload;

  Indices(String url, Workload workload) {
    this.url = url;
    this.workload = workload;
  }

  /** Creates them anew, and waits until all their copies are started. */
  void create() {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String index : workload.indices()) {
        expect(call(client, "DELETE", "/" + index, ""), 200, 404);
        expect(call(client, "PUT", "/" + index, body()), 200);
      }
      expect(
          call(
              client,
              "GET",
              "/_cluster/health/" + workload.target() + "?wait_for_status=green&timeout=120s",
              ""),
          200);
    }
  }

  private String body() {
    return "{\"settings\":{\"number_of_shards\":%d,\"number_of_replicas\":%d,%s},\"mappings\":%s}"
        .formatted(
            Integer.getInteger("shards", workload.shards()),
            Integer.getInteger("replicas", 0),
            workload.settings(),
            workload.shape().mapping());
  }

  /** The documents that a search finds. */
  long count() {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = call(client, "GET", "/" + workload.target() + "/_count", "");
      expect(answer, 200);
      return Json.mapper().readTree(answer.body()).path("count").asLong();
    }
  }

  private HttpResponse<String> call(HttpClient client, String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void expect(HttpResponse<String> answer, int... accepted) {
    for (int status : accepted) {
      if (answer.statusCode() == status) {
        return;
      }
    }
    throw new IllegalStateException(
        answer.request().method() + " " + answer.uri() + " answered " + answer.body());
  }
}
