package io.varve.host.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.host.NodeContext;
import io.varve.host.NodeWorld;
import io.varve.rpc.ApiException;
import io.varve.rpc.SearchCallHeaders;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class KnownStateTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final CompletableFuture<Long> handledAtVersion = new CompletableFuture<>();
  private NodeWorld world;
  private PrimaryCopy primary;
  private NodeContext node;

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(Map.of(), "{}");
    primary = new PrimaryCopy(world.copy("n1"), 1, new WritePressure(10_000), null);
    node = world.node("n1");
  }

  @AfterEach
  void endWorld() {
    primary.close();
    world.close();
  }

  private long version() {
    return node.cluster().current().version();
  }

  private void ask(String version) throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/reencode");
    if (version != null) {
      request.setParameter("cluster_version", version);
    }
    KnownState.before(node, (_, _, _, _) -> handledAtVersion.complete(version()))
        .handle(primary, "", request, new MockHttpServletResponse());
  }

  @Test
  void nothingIsDoneBeforeTheStateIsKnownThatItsCallerActsOn() throws Exception {
    long known = version();
    CompletableFuture<Void> asked =
        CompletableFuture.runAsync(() -> {
          try {
            ask(Long.toString(known + 1));
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });

    world.happened(new ClusterEvent.IndexClosed(NodeWorld.INDEX_UUID));

    asked.get(1, TimeUnit.MINUTES);
    assertThat(handledAtVersion).isCompletedWithValueMatching(version -> version > known);
  }

  private long metadataVersion() {
    return node.cluster().current().index(NodeWorld.INDEX_UUID).orElseThrow().metadataVersion();
  }

  private void search(KnownState known, @Nullable Long metadataVersion) throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/search");
    if (metadataVersion != null) {
      request.addHeader(SearchCallHeaders.METADATA, metadataVersion);
    }
    known
        .before(Map.of("POST search", (_, _, _, _) -> handledAtVersion.complete(metadataVersion())))
        .get("POST search")
        .handle(primary, "", request, new MockHttpServletResponse());
  }

  @Test
  void aSearchWaitsForTheMappingThatItsCoordinatorKnows() throws Exception {
    long known = metadataVersion();
    CompletableFuture<Void> asked =
        CompletableFuture.runAsync(() -> {
          try {
            search(new KnownState(node.cluster(), LONG), known + 2);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });

    world.happened(new ClusterEvent.MappingChanged(NodeWorld.INDEX_UUID, 2, "{}"));
    world.happened(
        new ClusterEvent.IndexSettingsChanged(
            NodeWorld.INDEX_UUID, 2, Map.of("index.max_result_window", "5")));

    asked.get(1, TimeUnit.MINUTES);
    assertThat(handledAtVersion).isCompletedWithValue(known + 2);
  }

  @Test
  void aSearchOfACoordinatorThatSaysNothingDoesNotWait() throws Exception {
    search(new KnownState(node.cluster(), LONG), null);

    assertThat(handledAtVersion).isCompletedWithValue(metadataVersion());
  }

  @Test
  void aNodeThatLagsSendsASearchElsewhereAndProvesThatAWriteWasNotExecuted() {
    KnownState impatient = new KnownState(node.cluster(), Duration.ofMillis(1));
    long next = metadataVersion() + 1;

    assertThatThrownBy(() -> search(impatient, next))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(503))
        .hasMessageContaining("version " + next + " of the metadata");
    assertThatThrownBy(() -> impatient.requireForWrite(NodeWorld.SHARD, next))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(409));
    assertThat(handledAtVersion).isNotDone();
  }

  @Test
  void nobodyWaitsForADeletedIndex() throws Exception {
    world.happened(new ClusterEvent.IndexDeleted(NodeWorld.INDEX_UUID));

    new KnownState(node.cluster(), LONG).requireForWrite(NodeWorld.SHARD, 1_000);
  }

  @Test
  void aCallerThatActsOnNoStateIsRefused() {
    assertThatThrownBy(() -> ask(null)).isInstanceOf(ApiException.class);
    assertThat(handledAtVersion).isNotDone();
  }
}
