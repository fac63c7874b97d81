package io.varve.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Three kinds of clients on one index: half of the users send bulks, the other half sends match and
 * term queries, and additional users, a quarter of that number, write single documents and wait
 * until they are visible on every copy.
 *
 * <p>System properties: {@code url} (http://127.0.0.1:9200), {@code users} (8), {@code seconds}
 * (30), {@code bulk} (200 documents), {@code shards} (1), {@code replicas} (1), {@code replication}
 * (SEGMENT).
 *
 * <p>Fails when a request fails, when an item of a bulk fails, or when a search does not find a
 * document whose write was acknowledged.
 */
public final class BulkAndSearchSimulation extends Simulation {

  private static final String INDEX = "gatling";
  private static final String[] LAYERS = {"clay", "silt", "sand", "gravel", "peat", "marl"};
  private static final String[] RIVERS = {"elbe", "oder", "rhine", "danube", "weser"};

  private final String url = System.getProperty("url", "http://127.0.0.1:9200");
  private final int users = Integer.getInteger("users", 8);
  private final Duration time = Duration.ofSeconds(Integer.getInteger("seconds", 30));
  private final int bulk = Integer.getInteger("bulk", 200);
  private final AtomicLong numbers = new AtomicLong();

  private final HttpProtocolBuilder protocol =
      http.baseUrl(url).contentTypeHeader("application/json").shareConnections();

  private final ScenarioBuilder loaders =
      scenario("load")
          .exec(
              http("bulk")
                  .post("/" + INDEX + "/_bulk")
                  .header("Content-Type", "application/x-ndjson")
                  .body(StringBody(session -> bulkBody()))
                  .check(status().is(200), jsonPath("$.errors").is("false")));

  private final ScenarioBuilder searchers =
      scenario("search")
          .exec(search("match", s -> "{\"match\":{\"text\":\"" + any(LAYERS) + " river\"}}"))
          .exec(search("term", s -> "{\"term\":{\"river\":\"" + any(RIVERS) + "\"}}"));

  private final ScenarioBuilder waiters =
      scenario("write and see")
          .exec(session -> session.set("id", "seen-" + numbers.incrementAndGet()))
          .exec(
              http("write, wait_for")
                  .put("/" + INDEX + "/_doc/#{id}?refresh=wait_for")
                  .body(StringBody(session -> document(session.getString("id"))))
                  .check(status().is(201)))
          .exec(
              http("see")
                  .post("/" + INDEX + "/_count")
                  .body(StringBody("{\"query\":{\"ids\":{\"values\":[\"#{id}\"]}}}"))
                  .check(jsonPath("$.count").is("1")));

  {
    setUp(
            loaders.injectClosed(constantConcurrentUsers(Math.max(1, users / 2)).during(time)),
            searchers.injectClosed(constantConcurrentUsers(Math.max(1, users / 2)).during(time)),
            waiters.injectClosed(constantConcurrentUsers(Math.max(1, users / 4)).during(time)))
        .protocols(protocol)
        .assertions(global().failedRequests().count().is(0L));
  }

  private interface Query {
    String of(Session session);
  }

  private static ChainBuilder search(String name, Query query) {
    return exec(
        http(name)
            .post("/" + INDEX + "/_search")
            .body(StringBody(session -> "{\"size\":10,\"query\":" + query.of(session) + "}"))
            .check(status().is(200), jsonPath("$._shards.failed").is("0")));
  }

  @Override
  public void before() {
    call("DELETE", "", 200, 404);
    call(
        "PUT",
        """
        {"settings":{"number_of_shards":%d,"number_of_replicas":%d,"replication.type":"%s"},
         "mappings":{"properties":{"text":{"type":"text"},"river":{"type":"keyword"},
                                   "depth":{"type":"integer"}}}}"""
            .formatted(
                Integer.getInteger("shards", 1),
                Integer.getInteger("replicas", 1),
                System.getProperty("replication", "SEGMENT")),
        200);
  }

  @Override
  public void after() {
    System.out.printf("%d documents were sent%n", numbers.get());
  }

  private void call(String method, String body, int... accepted) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/" + INDEX))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      for (int status : accepted) {
        if (answer.statusCode() == status) {
          return;
        }
      }
      throw new IllegalStateException(method + " answered " + answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private String bulkBody() {
    StringBuilder body = new StringBuilder(bulk * 150);
    for (int i = 0; i < bulk; i++) {
      String id = "loaded-" + numbers.incrementAndGet();
      body.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n");
      body.append(document(id)).append('\n');
    }
    return body.toString();
  }

  private static String document(String id) {
    return "{\"text\":\"layers of %s over %s beside the river\",\"river\":\"%s\",\"depth\":%d,\"name\":\"%s\"}"
        .formatted(
            any(LAYERS), any(LAYERS), any(RIVERS), ThreadLocalRandom.current().nextInt(400), id);
  }

  private static String any(String[] words) {
    return words[ThreadLocalRandom.current().nextInt(words.length)];
  }
}
