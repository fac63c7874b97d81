package io.varve.host.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.host.NodeContext;
import io.varve.host.NodeWorld;
import io.varve.rpc.ApiException;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class KnownStateTest {

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

  @Test
  void aCallerThatActsOnNoStateIsRefused() {
    assertThatThrownBy(() -> ask(null)).isInstanceOf(ApiException.class);
    assertThat(handledAtVersion).isNotDone();
  }
}
