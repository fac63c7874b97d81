package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.NodeInfo;
import io.varve.events.Feature;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.host.NodeWorld;
import io.varve.host.log.ManifestLog;
import io.varve.log.Appends;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.FolderPosition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shard of a follower whose log lacks its first operations, and whose only copy is lost. */
class LostFollowerShardTest extends PrimaryCopyWorld {

  private static final FollowRelation FOLLOW =
      new FollowRelation("remote", "books", "leader-uuid", "f1", 3);

  private HttpServer otherNode;

  @BeforeEach
  void openOtherNode() throws IOException {
    otherNode = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @AfterEach
  void closeOtherNode() {
    otherNode.stop(0);
  }

  private void index(@Nullable FollowRelation follow) throws Exception {
    world.happened(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOWER_BOOTSTRAP.since()));
    world.createIndex(Map.of("index.max_ngram_diff", "3"), MAPPING, follow);
    var _ = Appends.await(world.operations(), RecordHeader.fence(1, "n0"));
    var _ =
        Appends.await(
            world.operations(),
            OperationCodec.encode(new Operation(1, 0, 1, 1, "a", null, new byte[0], null)));
    var _ = Appends.await(world.operations(), RecordHeader.fence(2, "n0"));
    world.operations().truncateBefore(1);
  }

  /** Returns why it does not. */
  private String assertDoesNotStart() throws IOException {
    PrimaryCopy copy = new PrimaryCopy(world.copy("n1"), 3, new WritePressure(1 << 20), null);
    open.add(copy);
    Throwable failure = catchThrowable(copy::start);
    assertThat(failure).isInstanceOf(IOException.class);
    return String.valueOf(failure.getMessage());
  }

  /** Another copy of the shard, which is not started, on a node with that answer. */
  private void otherCopy(FolderPosition answer) throws IOException {
    String path = "/_internal/folders/" + NodeWorld.SHARD.indexUuid() + "/0";
    byte[] body = Json.write(answer);
    otherNode.createContext(
        path,
        exchange -> {
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    otherNode.start();
    String url = "http://127.0.0.1:" + otherNode.getAddress().getPort();
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo("n2", "n2", "n2-1", Set.of(NodeInfo.REPLICA), url, Map.of())));
    assignOther();
  }

  private void assignOther() {
    world.happened(
        new ClusterEvent.CopiesChanged(
            NodeWorld.SHARD,
            List.of(
                new CopyRouting("copy-on-n1", true, CopyRouting.State.INITIALIZING, "n1", ""),
                new CopyRouting("other", false, CopyRouting.State.INITIALIZING, "n2", ""))));
  }

  /** The only operation was published before the log was truncated. */
  private void published() throws Exception {
    Manifest manifest =
        new Manifest(NodeWorld.SHARD, "n0", 1, 1, 2, 1, 1, 0, List.of(), "", Map.of(), 0);
    var _ = new ManifestLog(world.manifests()).append(manifest);
  }

  @Test
  void itsIndexIsReplacedByOneThatCopiesTheLeaderAgain() throws Exception {
    index(FOLLOW);

    var _ = assertDoesNotStart();

    assertThat(world.leader.lost).hasSize(1);
    ClusterCalls.LostHistory news = world.leader.lost.getFirst();
    assertThat(news.indexUuid()).isEqualTo(NodeWorld.SHARD.indexUuid());
    assertThat(news.leaderUuid()).isEqualTo("leader-uuid");
    assertThat(news.leaderSettings()).containsEntry("index.max_ngram_diff", "3");
    assertThat(news.leaderMapping()).isEqualTo(MAPPING);
    assertThat(news.reason()).contains("lost its only copy");
  }

  @Test
  void itWaitsForACopyWhoseNodeDoesNotAnswer() throws Exception {
    index(FOLLOW);
    assignOther();

    assertThat(assertDoesNotStart())
        .contains("waits for the copies that may have its content: other on node n2");
    assertThat(world.leader.lost).isEmpty();
  }

  @Test
  void itIsReplacedIfTheOtherCopyHasNothing() throws Exception {
    index(FOLLOW);
    otherCopy(FolderPosition.EMPTY);

    assertThat(assertDoesNotStart()).contains("the leader is copied again by a successor");
    assertThat(world.leader.lost).hasSize(1);
  }

  @Test
  void itIsReplacedIfTheLogLacksWhatFollowsTheOtherCopysContent() throws Exception {
    index(FOLLOW);
    published();
    otherCopy(new FolderPosition(true, 0, 1, false, null));

    var _ = assertDoesNotStart();

    assertThat(world.leader.lost).hasSize(1);
  }

  /** That copy starts with an older manifest, is promoted and replays the log. */
  @Test
  void itWaitsForACopyThatEndsBeforeTheNewestManifestAndCanContinue() throws Exception {
    index(FOLLOW);
    published();
    otherCopy(new FolderPosition(true, 0, 1, true, null));

    assertThat(assertDoesNotStart()).contains("waits for the copies");
    assertThat(world.leader.lost).isEmpty();
  }

  @Test
  void itWaitsForACopyThatHasWhatWasPublished() throws Exception {
    index(FOLLOW);
    published();
    otherCopy(new FolderPosition(true, 1, 1, true, null));

    assertThat(assertDoesNotStart()).contains("waits for the copies");
    assertThat(world.leader.lost).isEmpty();
  }

  @Test
  void aPausedFollowerAndARegularIndexAreNotReplaced() throws Exception {
    index(null);
    assertThat(assertDoesNotStart()).doesNotContain("leader");
    world.happened(new ClusterEvent.FollowChanged(NodeWorld.SHARD.indexUuid(), FOLLOW.asPaused()));

    assertThat(assertDoesNotStart())
        .contains("the leader is copied again once the follower is resumed");
    assertThat(world.leader.lost).isEmpty();
  }
}
