package io.varve.host;

import io.varve.events.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Answers of other nodes to internal requests. */
public final class NodeAnswers {

  private NodeAnswers() {}

  /**
   * Sends a request whose answer is JSON.
   *
   * @throws IOException there is no answer in the request's time, or its status is not 200
   */
  public static <T> T json(HttpClient http, HttpRequest request, Class<T> type)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException(request.uri().getPath() + " answered " + answer.statusCode());
    }
    return Json.read(answer.body(), type);
  }
}
