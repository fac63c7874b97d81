package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.host.Applying;
import io.varve.host.LeaderClient;
import io.varve.host.NodeContext;
import io.varve.host.NodeSettings;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How the mapping of a leader index is brought to its follower. */
@Timeout(180)
class LeaderConnectionsTest {

  private static final String MAPPING =
      "{\"dynamic\":\"strict\",\"properties\":{\"title\":{\"type\":\"text\"}}}";

  private final AtomicInteger asked = new AtomicInteger();
  private final List<ClusterCalls.NewFields> newFields = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final HttpClient http = HttpClient.newHttpClient();
  private HttpServer coordinator;
  private FollowerClusterLog cluster;
  private LeaderConnections.LeaderIndex leader;
  private volatile IndexMetadata exported = leaderIndex("uuid-of-leader", 3, MAPPING);

  @TempDir private Path data;

  @BeforeEach
  void start() throws Exception {
    coordinator = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    coordinator.createContext(
        "/_internal/cluster/export/books",
        exchange -> {
          asked.incrementAndGet();
          byte[] answer = Json.write(export());
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    coordinator.start();
    cluster = new FollowerClusterLog();
    cluster.seeds("127.0.0.1:" + coordinator.getAddress().getPort());
    IndexMetadata.Follow follow = FollowerClusterLog.pulledBy("n1");
    cluster.createIndex("follower", follow);
    leader = new LeaderConnections(node()).index(FollowerClusterLog.uuid("follower"), follow);
  }

  @AfterEach
  void close() {
    coordinator.stop(0);
    cluster.close();
    http.close();
    timer.shutdownNow();
    threads.shutdownNow();
  }

  private RemoteCluster.Export export() {
    return new RemoteCluster.Export("there", "uuid", "kafka:9092", exported, "ops", "id", null);
  }

  private static IndexMetadata leaderIndex(String uuid, long mappingVersion, String mapping) {
    return new IndexMetadata(
        "books",
        uuid,
        0,
        Map.of(),
        1,
        mapping,
        mappingVersion,
        null,
        List.of(FollowerClusterLog.shard("leader", 0)));
  }

  private NodeContext node() {
    return new NodeContext(
        new NodeIdentity("n1", "n1", "i", Set.of()),
        NodeSettings.of(data),
        cluster.log,
        new Topics("here", 1),
        cluster.view,
        new FollowersLeader(),
        http,
        InstantSource.fixed(Instant.EPOCH),
        timer,
        threads,
        new Applying(threads));
  }

  /** Gives the follower's index each field that is asked for. */
  private final class FollowersLeader implements LeaderClient {

    @Override
    public long newFields(ClusterCalls.NewFields request, Duration timeout) {
      newFields.add(request);
      try {
        return cluster.happened(
            new ClusterEvent.MappingChanged(
                request.indexUuid(), request.knownMappingVersion() + 1, request.properties()));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
      throw new AssertionError("a puller has no copy");
    }

    @Override
    public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
      throw new AssertionError("a puller has no copy");
    }

    @Override
    public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
      throw new AssertionError("a puller has no copy");
    }
  }

  @Test
  void theFieldsOfTheLeaderAreAddedToTheFollowersOwnMapping() throws Exception {
    leader.mappingUpTo(2);

    assertThat(newFields)
        .singleElement()
        .satisfies(request -> {
          assertThat(request.indexUuid()).isEqualTo(FollowerClusterLog.uuid("follower"));
          assertThat(request.knownMappingVersion()).isEqualTo(1);
          assertThat(request.properties())
              .isEqualTo("{\"properties\":{\"title\":{\"type\":\"text\"}}}");
        });
  }

  @Test
  void theLeaderIsAskedOnlyForWhatWasNotBroughtBefore() throws Exception {
    leader.mappingUpTo(0);
    assertThat(asked).hasValue(0);

    leader.mappingUpTo(2);
    leader.mappingUpTo(3);
    assertThat(asked).as("version 3 came with version 2").hasValue(1);

    exported = leaderIndex("uuid-of-leader", 4, MAPPING);
    leader.mappingUpTo(4);
    assertThat(asked).hasValue(2);
    assertThat(newFields.getLast().knownMappingVersion()).isEqualTo(2);
  }

  @Test
  void anOperationWaitsForACoordinatorThatKnowsItsMapping() throws Exception {
    assertThatThrownBy(() -> leader.mappingUpTo(4))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not know mapping version 4 yet");
    assertThat(newFields).isEmpty();

    exported = leaderIndex("uuid-of-leader", 4, MAPPING);
    leader.mappingUpTo(4);
    assertThat(newFields).hasSize(1);
  }

  @Test
  void aMappingWithoutFieldsChangesNothing() throws Exception {
    exported = leaderIndex("uuid-of-leader", 2, "{}");

    leader.mappingUpTo(2);
    leader.mappingUpTo(2);

    assertThat(asked).hasValue(1);
    assertThat(newFields).isEmpty();
  }

  @Test
  void anIndexOfTheSameNameThatWasCreatedLaterIsNotFollowed() {
    exported = leaderIndex("another-uuid", 3, MAPPING);

    assertThatThrownBy(() -> leader.mappingUpTo(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another-uuid")
        .hasMessageContaining("uuid-of-leader");
    assertThatThrownBy(() -> leader.open(0)).isInstanceOf(IOException.class);
    assertThat(newFields).isEmpty();
  }

  @Test
  void aClusterThatLostItsSeedsCannotBeAsked() throws Exception {
    cluster.happened(new ClusterEvent.ClusterSettingsChanged(Map.of(), Map.of()));

    assertThatThrownBy(() -> leader.mappingUpTo(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no seeds");
  }
}
