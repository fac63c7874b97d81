package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.SOON;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.TlsIdentity;
import io.varve.log.TlsListener;
import io.varve.rpc.BootstrapWire;
import io.varve.shard.primary.PrimaryCopy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The nodes of a leader's cluster listen with TLS, as its coordinators do. */
@Timeout(300)
class LeaderNodesOverTlsTest extends LeaderBootstrapWorld {

  private TlsIdentity identity;
  private TlsListener listener;
  private Path remoteFiles;

  @BeforeEach
  void listen() throws Exception {
    identity = TlsIdentity.named("there");
    listener = new TlsListener(identity.context(), 0, URI.create(world.server.url("n1")).getPort());
    remoteFiles = Files.createDirectories(data.resolve("n3").resolve("remote"));
    world.clusterSettings(
        Map.of(
            "cluster.remote.east.seeds",
            "127.0.0.1:1",
            "cluster.remote.east.tls.enabled",
            "true",
            "cluster.remote.east.tls.certificate_authorities_file",
            "ca.pem"));
    world.index(0, 120);
    world.refresh();
  }

  @AfterEach
  void stop() {
    listener.close();
  }

  private BootstrapWire.Plan plan() throws Exception {
    URI plain = URI.create(world.server.url("n1"));
    String url = "http://127.0.0.1:" + listener.port() + plain.getPath();
    return new BootstrapWire.Plan(world.newestManifest(), null, url, DIGEST);
  }

  private void trust(TlsIdentity authority) throws Exception {
    Files.writeString(remoteFiles.resolve("ca.pem"), authority.certificate());
  }

  @Test
  void segmentsAreFetchedThroughTlsOnceTheFilesAreRight() throws Exception {
    trust(TlsIdentity.named("other"));
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);
    var _ = follower.bootstrap(ASSIGNMENT, plan());
    Awaitility.await().atMost(SOON).until(() -> !follower.bootstrap().reason().isEmpty());
    assertThat(follower.bootstrap().reason()).contains("certification path");
    assertThat(world.server.filesAsked).isEmpty();

    trust(identity);
    var _ = follower.bootstrap(ASSIGNMENT, plan());

    started.get(60, TimeUnit.SECONDS);
    assertThat(hits(follower)).isEqualTo(120);
  }
}
