package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * docker-compose.yml without Docker: processes with its environment, its secrets and its commands
 * form two secured clusters. A user with the password of {@code ./varve compose init} indexes and
 * searches, others are refused, Prometheus' files open what it scrapes, and the second cluster
 * follows the first one.
 */
@Tag("system")
@Tag("nightly")
class ComposedProcessesTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);

  @TempDir Path folder;
  private ComposedProcesses processes;

  @AfterEach
  void stop() throws Exception {
    if (processes != null) {
      processes.close();
    }
  }

  @Test
  void twoSecuredClustersServeTheirUsersAndNobodyElse() throws Exception {
    processes = new ComposedProcesses(folder);
    processes.startBrokers("broker-1", "broker-2", "broker-3", "follower-broker-1");
    for (String setup : List.of("broker-setup", "follower-broker-setup")) {
      Await.within(WITHIN)
          .untilAsserted(() -> {
            ComposedProcesses.Ran ran = processes.runToItsEnd(setup);
            assertThat(ran.code()).as(ran.text()).isZero();
          });
    }
    startTogether("coordinator-1", "shard-service-1", "replication-service-1");
    aUserIndexesAndSearches();
    othersAreRefused();
    prometheusScrapesEveryProcess();
    startTogether("follower-coordinator-1", "follower-shard-service-1", "follower-ccr-follower-1");
    theSecondClusterFollows();
  }

  private void startTogether(String... names) throws Exception {
    for (String name : names) {
      processes.start(name);
    }
    for (String name : names) {
      Await.within(WITHIN)
          .until(() -> {
            processes.requireAlive();
            return processes.isHealthy(name);
          });
    }
  }

  private ComposedProcesses.Ran call(String cluster, String method, String path, String body)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-X", method));
    arguments.addAll(List.of("--cacert", processes.secretFile(cluster + "/ca.pem").toString()));
    arguments.addAll(List.of("-u", "admin:" + processes.secret(cluster + "/admin.password")));
    if (!body.isEmpty()) {
      arguments.addAll(List.of("-H", "Content-Type: application/json", "--data-binary", body));
    }
    String service = cluster.equals("leader") ? "coordinator-1" : "follower-coordinator-1";
    arguments.add("https://" + service + ":9200" + path);
    return processes.curl(service, arguments.toArray(String[]::new));
  }

  private JsonNode json(String cluster, String method, String path, String body) throws Exception {
    ComposedProcesses.Ran ran = call(cluster, method, path, body);
    assertThat(ran.code()).as(ran.text()).isZero();
    return Json.mapper().readTree(ran.text());
  }

  private void aUserIndexesAndSearches() throws Exception {
    JsonNode created =
        json(
            "leader",
            "PUT",
            "/books",
            "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1}}");
    assertThat(created.path("acknowledged").asBoolean(false)).as("%s", created).isTrue();
    Await.within(WITHIN)
        .until(() ->
            json("leader", "GET", "/_cluster/health/books", "")
                .path("status")
                .asString("")
                .equals("green"));
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      bulk.append("{\"title\":\"On layers of clay\"}\n");
    }
    JsonNode answer = json("leader", "POST", "/books/_bulk?refresh=wait_for", bulk.toString());
    assertThat(answer.path("errors").asBoolean(true)).as("%s", answer).isFalse();
    JsonNode found =
        json("leader", "POST", "/books/_search", "{\"query\":{\"match\":{\"title\":\"clay\"}}}");
    assertThat(found.at("/hits/total/value").asInt()).as("%s", found).isEqualTo(100);
  }

  private String status(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("-o", "/dev/null", "-w", "%{http_code}"));
    all.addAll(List.of("--cacert", processes.secretFile("leader/ca.pem").toString()));
    all.addAll(List.of(arguments));
    return processes.curl("coordinator-1", all.toArray(String[]::new)).text();
  }

  private void othersAreRefused() throws Exception {
    String books = "https://coordinator-1:9200/books/_search";
    assertThat(status(books)).isEqualTo("401");
    assertThat(status("-u", "admin:wrong", books)).isEqualTo("401");
    assertThat(status("-u", "monitor:" + processes.secret("leader/monitor.password"), books))
        .isEqualTo("403");
    ComposedProcesses.Ran plain =
        processes.curl("coordinator-1", "http://coordinator-1:9200/books/_search");
    assertThat(plain.text()).doesNotContain("hits");
  }

  /** Calls what Prometheus calls, with the files that it mounts. */
  private void prometheusScrapesEveryProcess() throws Exception {
    ComposedProcesses.Ran targets =
        processes.curl(
            "coordinator-1",
            "--cacert",
            processes.secretFile("leader/ca.pem").toString(),
            "-u",
            "monitor:" + processes.secret("leader/monitor.password"),
            "https://coordinator-1:9200/_prometheus/targets");
    List<String> scraped = new ArrayList<>();
    for (JsonNode target : Json.mapper().readTree(targets.text())) {
      String address = target.at("/targets/0").asString("");
      scraped.add(target.at("/labels/node").asString(""));
      assertThat(scrape(address, true).text()).as(address).contains("jvm_memory_used_bytes");
      assertThat(scrape(address, false).code()).as("%s without a certificate", address).isNotZero();
    }
    assertThat(scraped)
        .as(targets.text())
        .containsExactlyInAnyOrder("coordinator-1", "shard-service-1", "replication-service-1");
  }

  private ComposedProcesses.Ran scrape(String address, boolean withCertificate) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("--fail", "--cacert", processes.secretFile("leader/ca.pem").toString()));
    if (withCertificate) {
      String certificate = processes.secretFile("leader/nodes/prometheus/node.pem").toString();
      arguments.addAll(List.of("--cert", certificate, "--key", certificate));
    }
    arguments.add("https://" + address + "/_actuator/prometheus");
    return processes.curl(
        address.substring(0, address.lastIndexOf(':')), arguments.toArray(String[]::new));
  }

  private void theSecondClusterFollows() throws Exception {
    Await.within(WITHIN)
        .untilAsserted(() -> {
          ComposedProcesses.Ran ran = processes.runScript("follower-setup");
          assertThat(ran.code()).as(ran.text()).isZero();
        });
    JsonNode followed =
        json(
            "follower",
            "PUT",
            "/books/_ccr/follow?wait_for_active_shards=1",
            "{\"remote_cluster\":\"leader\",\"leader_index\":\"books\"}");
    assertThat(followed.has("error")).as("%s", followed).isFalse();
    Await.within(WITHIN)
        .until(() -> json("follower", "GET", "/books/_count", "").path("count").asInt(0) == 100);
  }
}
