package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.NodeInfo;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RemoteCluster.Lease;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.Topics;
import io.varve.control.AddressProof;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.CoordinatorService;
import io.varve.events.FeatureLevels;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.MessageLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.process.Ticker;
import io.varve.rpc.LeaseRenewal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** A follower's lease on an index of a cluster of coordinators, whose log is on a real broker. */
@Tag("system")
@Tag("broker")
class FollowerLeasesOverHttpTest {

  private static final long TIMEOUT_MILLIS = 60_000;
  private static final long NEVER_MILLIS = 600_000;

  /** Without a heartbeat of its leader, a coordinator campaigns. */
  private static final long SILENT_MILLIS = 3_000;

  /** For requests that are repeated; each of them has 10 s. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final String HOLDER = "west-copyuuid";

  @TempDir private Path data;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private EmbeddedBroker broker;
  private MessageLog log;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.startSingle(data.resolve("broker"), BrokerConfig.Flush.OS);
    log =
        new KafkaMessageLog(
            KafkaLogConfig.of(broker.bootstrapServers(), "test")
                .withAppendTimeout((int) TIMEOUT_MILLIS));
  }

  @AfterEach
  void stop() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
    http.close();
    log.close();
    broker.close();
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMillis(TIMEOUT_MILLIS));
  }

  private ConfigurableApplicationContext startCoordinator(String name, long leaderTimeoutMillis) {
    ConfigurableApplicationContext context =
        CoordinatorService.start(
            "--varve.cluster-name=east",
            "--varve.node-name=" + name,
            "--varve.data=" + data.resolve(name),
            "--varve.kafka.bootstrap-servers=" + broker.bootstrapServers(),
            "--varve.kafka.append-timeout-millis=" + TIMEOUT_MILLIS,
            "--varve.node.heartbeat-millis=100",
            "--varve.node.timeout-millis=" + NEVER_MILLIS,
            "--varve.node.refused-timeout-millis=" + NEVER_MILLIS,
            "--varve.leader.timeout-millis=" + leaderTimeoutMillis,
            "--server.port=0");
    running.push(context);
    return context;
  }

  private static CoordinatorNode node(ConfigurableApplicationContext context) {
    return context.getBean(CoordinatorNode.class);
  }

  private static String seed(ConfigurableApplicationContext context) {
    return "127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
  }

  private RemoteCluster remote(ConfigurableApplicationContext context) {
    return new RemoteCluster(http, List.of(seed(context)));
  }

  /** Repeats a renewal until it is answered in time, as a follower does. */
  private Lease renewed(ConfigurableApplicationContext context, LeaseRenewal renewal) {
    return await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> remote(context).renew(renewal), Objects::nonNull);
  }

  /** Repeats the request until it is answered in time. */
  private RemoteCluster.Export exported(ConfigurableApplicationContext context) {
    return await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> remote(context).export("books"), Objects::nonNull);
  }

  private static String create(CoordinatorNode node) {
    node.execute(
        ClusterCommand.CreateIndex.of("books", Map.of("number_of_shards", "2"), "{}"),
        TIMEOUT_MILLIS);
    return node.state().indices().get("books").uuid();
  }

  private static RetentionLease lease(CoordinatorNode node) {
    return node.state().indices().get("books").leases().get(HOLDER);
  }

  private HttpResponse<String> post(String seed, String path, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://" + seed + path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static long generation(Lease answer) {
    assertThat(answer).isInstanceOf(Lease.Active.class);
    return ((Lease.Active) answer).generation();
  }

  /** A few, unless they take minutes: renewals are recorded by time, not one by one. */
  private long eventsOfAHundredRenewals(
      ConfigurableApplicationContext context, String uuid, long generation, AtomicLong offset) {
    long version = node(context).state().version();
    for (int i = 0; i < 100; i++) {
      Map<Integer, Long> offsets = Map.of(0, offset.getAndIncrement());
      generation(renewed(context, new LeaseRenewal(uuid, HOLDER, generation, false, offsets)));
    }
    return node(context).state().version() - version;
  }

  /** A pause of the leader makes the other coordinator lead early, with the same outcome. */
  @Test
  void anyCoordinatorTakesARenewalAndTheLeaseSurvivesTheLeader() throws Exception {
    ConfigurableApplicationContext leading = startCoordinator("first", NEVER_MILLIS);
    await().until(() -> node(leading).isLeading());
    String uuid = create(node(leading));
    ConfigurableApplicationContext following = startCoordinator("second", SILENT_MILLIS);
    await().until(() -> node(following).state().nodes().size() == 2);
    await().until(() -> node(following).state().indices().containsKey("books"));
    assertThat(exported(following).recordsLeases()).isTrue();

    long generation =
        generation(
            renewed(following, new LeaseRenewal(uuid, HOLDER, 0, true, Map.of(0, 5L, 1, 7L))));
    assertThat(lease(node(following)).fromOffsets()).isEqualTo(Map.of(0, 5L, 1, 7L));
    assertThat(lease(node(following)).generation()).isEqualTo(generation);
    AtomicLong offset = new AtomicLong(8);
    await()
        .atMost(PATIENCE)
        .until(
            () -> eventsOfAHundredRenewals(following, uuid, generation, offset),
            events -> events < 5);

    running.remove(leading);
    leading.close();
    await().until(() -> node(following).isLeading());
    assertThat(lease(node(following)).isActive()).isTrue();
    assertThat(
            generation(
                renewed(
                    following,
                    new LeaseRenewal(
                        uuid, HOLDER, generation, false, Map.of(0, offset.incrementAndGet())))))
        .isEqualTo(generation);
  }

  @Test
  void whatForgetFollowerRemovedIsNotRevivedByALateRenewal() throws Exception {
    ConfigurableApplicationContext context = startCoordinator("first", NEVER_MILLIS);
    await().until(() -> node(context).isLeading());
    String uuid = create(node(context));
    LeaseRenewal add = new LeaseRenewal(uuid, HOLDER, 0, true, Map.of(0, 5L, 1, 7L));
    long generation = generation(renewed(context, add));

    HttpResponse<String> forgotten =
        post(
            seed(context),
            "/books/_ccr/forget_follower?timeout=5m",
            "{\"follower_cluster\":\"west\",\"follower_index\":\"copy\","
                + "\"follower_index_uuid\":\"copyuuid\",\"leader_remote_cluster\":\"east\"}");
    assertThat(forgotten.body()).contains("\"successful\":2", "\"failed\":0");

    Lease late = renewed(context, new LeaseRenewal(uuid, HOLDER, generation, false, Map.of(0, 6L)));
    assertThat(late).isInstanceOf(Lease.Missing.class);
    assertThat(((Lease.Missing) late).newestGeneration()).isEqualTo(generation);
    assertThat(renewed(context, add)).as("a late add").isInstanceOf(Lease.Missing.class);
    assertThat(lease(node(context)).isActive()).isFalse();

    long another =
        generation(
            renewed(context, new LeaseRenewal(uuid, HOLDER, generation, true, Map.of(0, 6L))));
    assertThat(another).isGreaterThan(generation);
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> remote(context).release(new LeaseRenewal.Release(uuid, HOLDER)));
    assertThat(lease(node(context)).isActive()).isFalse();
  }

  @Test
  void aMalformedRenewalOrOneOfAnUnknownIndexChangesNothing() throws Exception {
    ConfigurableApplicationContext context = startCoordinator("first", NEVER_MILLIS);
    await().until(() -> node(context).isLeading());
    String uuid = create(node(context));

    for (String body :
        List.of(
            "{",
            "{}",
            "[]",
            "{\"index_uuid\":\"%s\",\"add\":true}".formatted(uuid),
            "{\"index_uuid\":\"%s\",\"holder\":\"a/b\",\"add\":true,\"from_offsets\":{\"0\":1}}"
                .formatted(uuid),
            "{\"index_uuid\":\"%s\",\"holder\":\"a\",\"add\":true,\"from_offsets\":{\"x\":1}}"
                .formatted(uuid),
            "{\"index_uuid\":\"%s\",\"holder\":\"a\",\"add\":true,\"from_offsets\":{\"0\":null}}"
                .formatted(uuid))) {
      assertThat(post(seed(context), "/_internal/cluster/leases", body).statusCode())
          .as(body)
          .isBetween(400, 404);
    }
    assertThatThrownBy(
            () -> remote(context).renew(new LeaseRenewal("none", HOLDER, 0, true, Map.of(0, 1L))))
        .isInstanceOf(IOException.class);
    assertThat(node(context).state().indices().get("books").leases()).isEmpty();
  }

  @Test
  void aClusterRecordsLeasesOnceItsFeatureLevelIsRaised() throws Exception {
    CoordinatorNode old =
        new CoordinatorNode(
            new CoordinatorSettings(
                "east", "first", data.resolve("first"), 100, NEVER_MILLIS, NEVER_MILLIS),
            log,
            new Topics("east", 1),
            new CoordinatorNode.Others(http, AddressProof.BELIEVED),
            new CoordinatorNode.Clocks(InstantSource.system(), Ticker.SYSTEM),
            new FeatureLevels(1, 1));
    old.start("http://127.0.0.1:1");
    await().until(() -> old.state().nodes().size() == 1);
    old.close();

    ConfigurableApplicationContext upgraded = startCoordinator("first", NEVER_MILLIS);
    await()
        .until(() ->
            node(upgraded).isLeading()
                && node(upgraded).state().nodes().values().stream()
                    .anyMatch(member -> member.has(NodeInfo.COORDINATOR)));
    String uuid = create(node(upgraded));
    LeaseRenewal add = new LeaseRenewal(uuid, HOLDER, 0, true, Map.of(0, 5L));
    RemoteCluster.Export before = exported(upgraded);
    assertThat(before.recordsLeases()).isFalse();
    assertThat(before.manifestsTopic()).isNotNull();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThatThrownBy(() -> remote(upgraded).renew(add))
                .isInstanceOf(RemoteCluster.RefusedException.class)
                .hasMessageContaining("this needs feature level [2]"));

    await().until(() -> post(seed(upgraded), "/_cluster/feature_level", "{}").statusCode() == 200);

    assertThat(exported(upgraded).recordsLeases()).isTrue();
    assertThat(generation(renewed(upgraded, add))).isPositive();
  }
}
