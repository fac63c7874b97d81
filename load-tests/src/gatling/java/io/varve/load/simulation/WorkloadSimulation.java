package io.varve.load.simulation;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs a {@link Workload}: 8 clients send its bulks; when they are done, it is refreshed and
 * force-merged, and then each of its searches arrives at a fixed rate, whether or not the ones
 * before were answered.
 *
 * <p>System properties: {@code url} (http://127.0.0.1:9200), {@code documents} and {@code bulk}
 * (those of the workload), {@code clients} (8), {@code rate} (searches per second of all kinds
 * together, 10), {@code seconds} (30), {@code shards} (those of the workload), {@code replicas}
 * (0).
 *
 * <p>Fails when a request fails or an item of a bulk is not acknowledged. Refused items are counted
 * apart from failed ones.
 */
abstract class WorkloadSimulation extends Simulation {

  private static final Duration MERGE_WITHIN = Duration.ofMinutes(10);

  private final Workload workload;
  private final Indices indices;
  private final BulkOutcomes outcomes = new BulkOutcomes();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong firstNanos = new AtomicLong();
  private final AtomicLong lastNanos = new AtomicLong();
  private final int clients = Integer.getInteger("clients", 8);
  private final double rate = Double.parseDouble(System.getProperty("rate", "10"));
  private final Duration time = Duration.ofSeconds(Integer.getInteger("seconds", 30));
  private final int bulk;
  private final int bulksPerClient;

  WorkloadSimulation(Workload workload) {
    String url = System.getProperty("url", "http://127.0.0.1:9200");
    this.workload = workload;
    this.indices = new Indices(url, workload);
    int documents = Integer.getInteger("documents", workload.documents());
    this.bulk =
        Math.min(Integer.getInteger("bulk", workload.bulk()), Math.max(1, documents / clients));
    this.bulksPerClient = Math.max(1, documents / (clients * bulk));
    HttpProtocolBuilder protocol =
        http.baseUrl(url)
            .contentTypeHeader("application/json")
            .acceptEncodingHeader("identity")
            .shareConnections();
    setUp(phases()).protocols(protocol).assertions(global().failedRequests().count().is(0L));
  }

  private PopulationBuilder phases() {
    PopulationBuilder load = load().injectOpen(atOnceUsers(clients));
    PopulationBuilder prepared = prepare().injectOpen(atOnceUsers(1));
    List<PopulationBuilder> searches = new ArrayList<>();
    for (Search search : workload.searches()) {
      searches.add(
          scenario(search.name())
              .exec(search(search))
              .injectOpen(constantUsersPerSec(rate / workload.searches().size()).during(time)));
    }
    return load.andThen(
        searches.isEmpty()
            ? prepared
            : prepared.andThen(searches.toArray(PopulationBuilder[]::new)));
  }

  private ScenarioBuilder load() {
    return scenario("load")
        .exec(
            repeat(bulksPerClient)
                .on(
                    exec(
                        http("bulk")
                            .post("/_bulk")
                            .header("Content-Type", "application/x-ndjson")
                            .body(StringBody(session -> body()))
                            .check(
                                status().transform(status -> counted(status)).is(200),
                                bodyString()
                                    .transform(answer -> outcomes.count(answer, bulk))
                                    .is(0)))));
  }

  private int counted(int status) {
    outcomes.answered(status, bulk);
    lastNanos.set(System.nanoTime());
    return status;
  }

  private String body() {
    firstNanos.compareAndSet(0, System.nanoTime());
    long first = numbers.getAndAdd(bulk);
    StringBuilder body = new StringBuilder();
    for (long number = first; number < first + bulk; number++) {
      body.append("{\"index\":{\"_index\":\"")
          .append(workload.indices().get((int) (number % workload.indices().size())))
          .append("\"}}\n")
          .append(workload.shape().document(number))
          .append('\n');
    }
    return body.toString();
  }

  private ScenarioBuilder prepare() {
    return scenario("prepare")
        .exec(http("refresh").post("/" + workload.target() + "/_refresh").check(status().is(200)))
        .exec(
            http("force-merge")
                .post("/" + workload.target() + "/_forcemerge?max_num_segments=1")
                .requestTimeout(MERGE_WITHIN)
                .check(status().is(200)));
  }

  private ChainBuilder search(Search search) {
    HttpRequestActionBuilder first =
        http(search.name())
            .post("/" + workload.target() + "/_search" + search.parameters())
            .body(StringBody(search.body()))
            .check(status().is(200), jsonPath("$._shards.failed").is("0"));
    if (search.pages() == 1) {
      return exec(first);
    }
    return exec(first.check(jsonPath("$._scroll_id").saveAs("scroll")))
        .repeat(search.pages() - 1)
        .on(
            exec(
                http(search.name() + ", next page")
                    .post("/_search/scroll")
                    .body(StringBody("{\"scroll_id\":\"#{scroll}\",\"scroll\":\"10s\"}"))
                    .check(status().is(200), jsonPath("$._scroll_id").saveAs("scroll"))))
        .exec(
            http(search.name() + ", end")
                .delete("/_search/scroll")
                .body(StringBody("{\"scroll_id\":[\"#{scroll}\"]}"))
                .check(status().is(200)));
  }

  @Override
  public void before() {
    indices.create();
  }

  @Override
  public void after() {
    double seconds = (lastNanos.get() - firstNanos.get()) / 1e9;
    System.out.printf(
        "%s: %d items acknowledged in %.1f s (%.0f per second), %d refused, %d failed; the indices"
            + " have %d documents%n",
        workload.name(),
        outcomes.acknowledged(),
        seconds,
        outcomes.acknowledged() / seconds,
        outcomes.refused(),
        outcomes.failed(),
        indices.count());
  }
}
