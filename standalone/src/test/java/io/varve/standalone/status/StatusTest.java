package io.varve.standalone.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.standalone.FakeVarve;
import io.varve.standalone.RestCalls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The command against a coordinator with fixed answers. */
@Timeout(120)
class StatusTest {

  private static final String BREAKERS =
      """
      # TYPE resilience4j_circuitbreaker_state gauge
      resilience4j_circuitbreaker_state{name="%1$s",state="closed"} %2$s
      resilience4j_circuitbreaker_state{name="%1$s",state="open"} %3$s
      resilience4j_circuitbreaker_state{name="%1$s",state="half_open"} 0.0
      """;

  @TempDir private Path folder;
  private FakeVarve coordinator;

  @BeforeEach
  void start() throws IOException {
    coordinator =
        new FakeVarve()
            .on("/_prometheus/metrics/c1", BREAKERS.formatted("id-s1", 0.0, 1.0))
            .on("/_prometheus/metrics/s1", BREAKERS.formatted("segment-store", 1, 0))
            .on(
                "/_cat/nodes",
                """
                [{"id":"id-c1","name":"c1","http_address":"127.0.0.1:9200","heap.percent":"34","load_1m":"0.52","cluster_manager":"*"},
                 {"id":"id-s1","name":"s1","http_address":"127.0.0.1:7001","heap.percent":null,"load_1m":null,"cluster_manager":"-"}]
                """)
            .on(
                "/_nodes",
                """
                {"nodes":{"id-c1":{"attributes":{"varve_roles":"coordinator"}},
                          "id-s1":{"attributes":{"varve_roles":"primary"}}}}
                """)
            .on(
                "/_cat/indices",
                """
                [{"index":"books","health":"yellow","status":"open","pri":"1","rep":"1","docs.count":"12345","store.size":"1572864"},
                 {"index":"old","health":"green","status":"close","pri":"1","rep":"0","docs.count":null,"store.size":null}]
                """)
            .on(
                "/_cat/segment_replication",
                """
                [{"shardId":"[books][0]","current_lag":"12"},{"shardId":"[books][1]","current_lag":"1500"}]
                """)
            .on(
                "/_cat/followers",
                """
                [{"index":"copy","shard":"0","remote_cluster":"main","leader_index":"books","state":"PULLING","lag":"8","lag_operations":null}]
                """);
    coordinator.on("/_prometheus/targets", targets("s1"));
    health("yellow", 1);
  }

  private static String targets(String node) {
    return """
    [{"targets":["127.0.0.1:9200"],"labels":{"cluster":"varve","node":"c1","service":"coordinator"}},
     {"targets":["127.0.0.1:7001"],"labels":{"cluster":"varve","node":"%s","service":"shard-service"}},
     {"targets":["127.0.0.1:1"],"labels":{"cluster":"varve","node":"departed","service":"shard-service"}}]
    """
        .formatted(node);
  }

  private void health(String status, int unassigned) {
    coordinator.on(
        "/_cluster/health",
        "{\"cluster_name\":\"varve\",\"status\":\"%s\",\"active_shards\":2,\"unassigned_shards\":%d,\"initializing_shards\":0}"
            .formatted(status, unassigned));
  }

  @AfterEach
  void stop() {
    coordinator.close();
  }

  private ClusterStatus read() throws IOException {
    try (RestCalls rest = coordinator.calls()) {
      return new StatusReader(rest).read();
    }
  }

  @Test
  void tablesShowHealthNodesIndicesFollowersAndOpenBreakers() throws IOException {
    assertThat(new StatusText(false).of(read()))
        .containsExactly(
            "yellow  varve: 2 nodes, 2 indices, 2 of 3 copies active",
            "  GET /_cluster/allocation/explain explains copies that are not active",
            "",
            "Nodes",
            "  name  roles        address         heap  load",
            "  c1    coordinator  127.0.0.1:9200  34 %  0.52  leads",
            "  s1    primary      127.0.0.1:7001     -     -  does not answer",
            "",
            "Indices",
            "  health         name   shards  replicas    docs    size    lag",
            "  yellow         books       1         1  12,345  1.5 MB  1.5 s",
            "  green, closed  old         1         0       -       -      -",
            "",
            "Followers",
            "  index  shard  follows     state     lag  operations behind",
            "  copy       0  main:books  PULLING  8 ms                  -",
            "",
            "Open breakers",
            "  of  to  state",
            "  c1  s1  open");
  }

  @Test
  void healthIsColouredOnATerminal() throws IOException {
    assertThat(new StatusText(true).of(read()).getFirst()).startsWith("\033[1;33myellow\033[0m");
  }

  @Test
  void aProcessThatDoesNotAnswerIsNamed() throws IOException {
    coordinator.on("/_cat/nodes", "[{\"id\":\"id-s2\",\"name\":\"s2\"}]");
    coordinator.on("/_prometheus/targets", targets("s2"));

    assertThat(new StatusText(false).of(read())).endsWith("Breakers unknown for: s2");
  }

  @Test
  void onlyTheStateThatABreakerIsInCounts() {
    assertThat(BreakerReader.open("c1", BREAKERS.formatted("127.0.0.1:9200", 0, 1), Map.of()))
        .containsExactly(new ClusterStatus.Breaker("c1", "127.0.0.1:9200", "open"));
    assertThat(BreakerReader.open("c1", BREAKERS.formatted("id-s1", 1, 0), Map.of())).isEmpty();
  }

  /** Runs the command; returns its exit code and its standard output. */
  private Map.Entry<Integer, String> run(String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--port";
    all[arguments.length + 1] = Integer.toString(coordinator.port());
    PrintStream out = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      return Map.entry(Status.commandLine(all).execute(all), bytes.toString(UTF_8));
    } finally {
      System.setOut(out);
    }
  }

  @Test
  void itEndsWith0OnlyIfTheClusterIsGreen() {
    assertThat(run().getKey()).isOne();

    health("green", 0);

    assertThat(run().getKey()).isZero();
    coordinator.close();
    assertThat(run().getKey()).isOne();
  }

  @Test
  void theJsonHasTheSameValues() {
    JsonNode status = Json.mapper().readTree(run("--json").getValue());

    assertThat(status.propertyNames())
        .containsExactlyInAnyOrder(
            "cluster",
            "health",
            "copies",
            "active_copies",
            "nodes",
            "indices",
            "followers",
            "open_breakers",
            "not_asked");
    assertThat(status.at("/nodes/0/heap_percent").asInt()).isEqualTo(34);
    assertThat(status.at("/nodes/1/heap_percent").isNull()).isTrue();
    assertThat(status.at("/indices/0/lag_millis").asLong()).isEqualTo(1500);
    assertThat(status.at("/open_breakers/0/guards").asString()).isEqualTo("s1");
  }

  @Test
  void aSecuredVarveIsAskedAsAUserForTheBreakersOfItsNodesToo() throws IOException {
    String header = RestCalls.basic("eve", "canary-word");
    coordinator.requires(header);
    Path file = Files.writeString(folder.resolve("password"), "canary-word\n");

    assertThat(run().getKey()).isOne();
    Map.Entry<Integer, String> admitted = run("--user", "eve", "--password-file", file.toString());

    assertThat(admitted.getValue()).startsWith("yellow").doesNotContain("canary");
    assertThat(coordinator.requests())
        .anyMatch(request ->
            request.startsWith("/_prometheus/metrics/s1?name=") && request.endsWith(header));
    assertThat(admitted.getValue()).contains("Open breakers").doesNotContain("not known");
  }
}
