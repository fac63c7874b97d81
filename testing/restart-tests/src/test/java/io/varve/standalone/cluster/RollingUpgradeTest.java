package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.FeatureLevels;
import io.varve.standalone.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of the former release is upgraded half-way, taken back, and upgraded completely, one
 * process at a time as docs/operations/upgrade.md describes, while clients write and search. Then
 * its feature level is raised.
 *
 * <p>No write is refused and no search lacks a shard; every acked document exists once, on every
 * copy.
 */
@Tag("nightly")
@Tag("system")
@Timeout(7_200)
class RollingUpgradeTest {

  private static final int BEFORE = 500;
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);
  private static final List<String> COORDINATORS = List.of("coordinator-1", "coordinator-2");
  private static final List<String> REPLICAS =
      List.of("replication-service-1", "replication-service-2");
  private static final List<String> PRIMARIES = List.of("shard-service-1", "shard-service-2");

  @TempDir Path data;
  private FormerRelease former;
  private RunningCluster cluster;
  private LoadBalancer balancer;
  private final List<TestIndex> indices = new ArrayList<>();
  private final List<CreateLoad> writes = new ArrayList<>();
  private final List<SearchLoad> searches = new ArrayList<>();

  @BeforeEach
  void startFormerRelease() throws Exception {
    former = FormerRelease.build();
    System.setProperty(ChildJvm.CLASS_PATH, former.classPath());
    cluster =
        RunningCluster.start(
            data,
            "--coordinators",
            "2",
            "--shard-services",
            "2",
            "--replication-services",
            "2",
            "--ccr-followers",
            "0");
    balancer = new LoadBalancer(cluster.url(), cluster.url(COORDINATORS.getLast()), CALL_TIMEOUT);
    for (String replicationType : List.of("segment", "document")) {
      indices.add(create(replicationType));
    }
  }

  @AfterEach
  void stop() throws Exception {
    System.clearProperty(ChildJvm.CLASS_PATH);
    for (AutoCloseable load : Stream.concat(writes.stream(), searches.stream()).toList()) {
      load.close();
    }
    if (balancer != null) {
      balancer.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private TestIndex create(String replicationType) throws Exception {
    TestIndex index = new TestIndex(cluster.rest(), "rolled-" + replicationType);
    index
        .call(
            "PUT",
            "",
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"200ms",
                         "index.replication.type":"%s"},
             "mappings":{"properties":{"n":{"type":"integer"}}}}\
            """
                .formatted(replicationType.toUpperCase(Locale.ROOT)))
        .orThrow();
    index.awaitGreen();
    index.index(0, BEFORE);
    index.refresh();
    return index;
  }

  @Test
  void noAckedWriteIsLostNoWriteRefusedAndNoSearchLacksAShard() throws Exception {
    String present = System.getProperty("java.class.path");
    assertThat(level()).isEqualTo(former.featureLevel());
    for (TestIndex index : indices) {
      writes.add(new CreateLoad(balancer, index.name(), BEFORE));
      searches.add(new SearchLoad(balancer::get, index.name(), BEFORE));
    }

    replace(COORDINATORS, present);
    replace(REPLICAS, present);
    replace(REPLICAS.reversed(), former.classPath());
    replace(COORDINATORS.reversed(), former.classPath());
    replace(COORDINATORS, present);
    replace(REPLICAS, present);
    for (String name : PRIMARIES) {
      cluster.exclude(name);
      replace(List.of(name), present);
      cluster.excludeNone();
      awaitLoad(name + " may hold copies again");
    }
    assertThat(level()).isEqualTo(former.featureLevel());
    cluster.rest().call("POST", "/_cluster/feature_level", "").orThrow();
    assertThat(level()).isEqualTo(FeatureLevels.NEWEST).isGreaterThan(former.featureLevel());
    awaitLoad("the level was raised");

    for (AutoCloseable load : Stream.concat(writes.stream(), searches.stream()).toList()) {
      load.close();
    }
    for (int i = 0; i < indices.size(); i++) {
      assertHoldsWhatWasAcked(indices.get(i), writes.get(i).acked());
    }
    assertThat(manifestOfAReplica(indices.getFirst())).contains("\"min_reader_version\"");
  }

  /** One after the other, with a look at the clients after each. */
  private void replace(List<String> names, String classPath) throws Exception {
    for (String name : names) {
      balancer.use(name.equals(COORDINATORS.getFirst()) ? 2 : 1);
      cluster.replace(name, classPath);
      awaitLoad(name + " was replaced");
    }
  }

  private void awaitLoad(String when) {
    writes.forEach(load -> load.awaitMore(20));
    for (CreateLoad load : writes) {
      assertThat(load.refused()).as("when %s", when).isEmpty();
      // The balancer sends nothing to a coordinator that ends, and a coordinator answers each
      // write.
      assertThat(load.unknown()).as("when %s", when).isZero();
    }
    searches.forEach(load -> load.awaitMore(20));
    for (SearchLoad load : searches) {
      assertThat(load.incomplete()).as("when %s, of %d searches", when, load.complete()).isEmpty();
    }
  }

  private int level() throws IOException {
    return cluster
        .rest()
        .get("/_cluster/feature_level")
        .orThrow()
        .json()
        .path("feature_level")
        .asInt();
  }

  private static void assertHoldsWhatWasAcked(TestIndex index, int acked) throws Exception {
    index.awaitGreen();
    index.refresh();
    SortedMap<String, String> onPrimary = index.contents("_primary");
    assertThat(onPrimary).as(index.name()).hasSize(acked);
    assertThat(index.contents("_replica")).as(index.name()).isEqualTo(onPrimary);
    for (int n = 0; n < acked; n++) {
      assertThat(onPrimary.get("d" + n)).as("d%d", n).startsWith("1 ");
    }
    for (int n = 0; n < acked; n += 10) {
      JsonNode found = index.get("/_doc/d" + n);
      assertThat(found.path("found").asBoolean()).as("d%d", n).isTrue();
    }
    index.put(acked);
    index.refresh();
  }

  /** The manifest that the replica of the index has made its own. */
  private String manifestOfAReplica(TestIndex index) throws IOException {
    Path shard = Path.of("shards", index.uuid(), "0", "index", "manifest.json");
    return Files.readString(data.resolve(index.nodesOf("r").getFirst()).resolve(shard));
  }
}
