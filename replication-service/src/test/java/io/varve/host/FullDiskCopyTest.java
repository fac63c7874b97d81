package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.replication.replica.DocumentReplicaCopy;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.PrimaryCopy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A copy that writes segments, on a disk that fills up and is freed again. The log is on another
 * disk: operations that it accepted are not lost, whatever happens to the copy's folder.
 */
class FullDiskCopyTest extends FullDiskWorld {

  private static List<WriteItem> books(int from, int to) {
    byte[] body = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    return IntStream.range(from, to).mapToObj(n -> WriteItem.index("book-" + n, body)).toList();
  }

  private static void writeAll(PrimaryCopy primary, int from, int to) throws Exception {
    assertThat(primary.write(primary.term(), books(from, to), LONG))
        .allSatisfy(result -> assertThat(result).isInstanceOf(WriteResult.Done.class));
  }

  /** The error reasons of a write's items, or of the refusal of the whole write. */
  private static List<String> refusals(PrimaryCopy primary, List<WriteItem> items)
      throws Exception {
    List<String> reasons = new ArrayList<>();
    try {
      for (WriteResult result : primary.write(primary.term(), items, LONG)) {
        assertThat(result).isInstanceOf(WriteResult.Failed.class);
        reasons.add(((WriteResult.Failed) result).error().reason());
      }
    } catch (ApiException e) {
      reasons.add(e.error().reason());
    }
    return reasons;
  }

  @ParameterizedTest
  @EnumSource
  void writesToAPrimaryWhoseDiskIsFullFailWithAReasonThatNamesTheDisk(SmallDisk.Kind kind)
      throws Exception {
    SmallDisk small = disk(kind);
    List<String> broken = new CopyOnWriteArrayList<>();
    createIndex(Map.of("index.refresh_interval", "-1"));
    PrimaryCopy primary =
        new PrimaryCopy(
            new CopyContext(
                nodeOn(small, world.leader),
                NodeWorld.SHARD,
                "copy-1",
                Folders.of(small.folder(), NodeWorld.SHARD),
                new Broken(broken)),
            1,
            PRESSURE,
            null);
    copies = primary;
    primary.start();
    writeAll(primary, 0, 100);

    small.fill();
    assertThatThrownBy(() -> primary.refresh(LONG))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> {
              assertThat(refused.error().status()).isEqualTo(503);
              assertThat(refused.error().reason()).contains(FULL);
            });

    // The first write may detect that the writer has ended, or arrive after that is known.
    assertRefused(primary, books(100, 101));
    await().atMost(LONG).until(() -> !broken.isEmpty());
    assertThat(broken).allSatisfy(reason -> assertThat(reason).contains(FULL));
    assertThat(primary.state()).isEqualTo(ShardCopy.State.FAILED);
    assertRefused(primary, books(101, 102));
  }

  private static void assertRefused(PrimaryCopy primary, List<WriteItem> items) throws Exception {
    assertThat(refusals(primary, items))
        .hasSize(items.size())
        .allSatisfy(reason -> assertThat(reason).contains(FULL));
  }

  private record Broken(List<String> reasons) implements CopyContext.Listener {

    @Override
    public void progressed() {}

    @Override
    public void broken(String reason) {
      reasons.add(reason);
    }

    @Override
    public void contradicted(String reason) {
      reasons.add(reason);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPrimaryFailsForTheDiskAndHasAllThatWasAckedWhenThereIsRoom(SmallDisk.Kind kind)
      throws Exception {
    SmallDisk small = disk(kind);
    NodeContext node = nodeOn(small, world.leader);
    CopyHost host =
        new CopyHost(
            node,
            (context, _, term) -> new PrimaryCopy(context, term, PRESSURE, null),
            progress(node));
    copies = host;
    createIndex(Map.of("index.refresh_interval", "-1"));
    join(node);
    host.start();
    assign(1);
    PrimaryCopy first = awaitPrimary(node, host, 1);
    writeAll(first, 0, 100);
    first.refresh(LONG);
    // A restart deletes segments without a commit, which makes room.
    first.flush();

    small.fill();
    writeAll(first, 100, 200);
    assertThatThrownBy(() -> first.refresh(LONG)).hasStackTraceContaining(FULL);

    // Each term is a failed start: the copy gives up its place before it has used many terms.
    await().atMost(LONG).until(() -> !world.leader.failed.isEmpty());
    assertThat(Set.copyOf(world.leader.newTerms))
        .as("each is asked for once or again")
        .hasSizeLessThan(Setbacks.REPORT_FAILURE_AFTER);
    assertThat(world.leader.failed)
        .extracting(ClusterCalls.CopyFailed::reason)
        .allSatisfy(reason -> assertThat(reason).contains(FULL));

    small.makeRoom();
    long next = 100;
    assign(next);
    PrimaryCopy second = awaitPrimary(node, host, next);
    writeAll(second, 200, 300);
    second.refresh(LONG);
    for (WriteItem acked : books(0, 300)) {
      assertThat(second.searchable().orElseThrow().get(acked.id(), false).found()).isTrue();
    }
    assertThat(hits(second)).as("once each").isEqualTo(300);
  }

  /** Receives reports of failures; a replica requests no term. */
  private static final class ReplicasLeader extends UnexpectedCalls {

    final List<String> failures = new CopyOnWriteArrayList<>();

    @Override
    public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
      failures.add(news.reason());
      return 1;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDocumentReplicaFailsAloneAndShowsEverythingWhenThereIsRoom(SmallDisk.Kind kind)
      throws Exception {
    SmallDisk small = disk(kind);
    ReplicasLeader leader = new ReplicasLeader();
    NodeContext node = nodeOn(small, leader);
    createIndex(Map.of("index.refresh_interval", "20ms", "index.replication.type", "DOCUMENT"));
    PrimaryCopy primary = new PrimaryCopy(world.copy("n2"), 1, PRESSURE, null);
    HostedCopy replica =
        new HostedCopy(
            node,
            NodeWorld.SHARD,
            new Goal.Copy("r1", false, 0, false, true),
            (context, _, _) -> new DocumentReplicaCopy(context),
            progress(node),
            new Suspicions(),
            new IgnoringWatcher(),
            new Setbacks(node.clock(), _ -> SOON_MILLIS));
    copies =
        () -> {
          replica.want(new Goal.Nothing(false));
          replica.awaitEnd(LONG);
          primary.close();
        };
    primary.start();
    replica.start();
    await()
        .atMost(LONG)
        .until(() ->
            replica.copy().filter(copy -> copy.state() == ShardCopy.State.STARTED).isPresent());
    writeAll(primary, 0, 100);
    awaitHits(replica, 100);
    // A restart deletes segments without a commit, which makes room.
    replica.copy().orElseThrow().flush();

    small.fill();
    writeAll(primary, 100, 200);
    await().atMost(LONG).until(() -> !leader.failures.isEmpty());
    assertThat(leader.failures).allSatisfy(reason -> assertThat(reason).contains(FULL));
    writeAll(primary, 200, 300);
    primary.refresh(LONG);
    assertThat(hits(primary)).as("the primary is on another disk").isEqualTo(300);

    small.makeRoom();
    awaitHits(replica, 300);
    assertThat(primary.state()).isEqualTo(ShardCopy.State.STARTED);
  }

  private static void awaitHits(HostedCopy replica, int expected) {
    await()
        .atMost(LONG)
        .ignoreExceptionsInstanceOf(Exception.class)
        .until(() -> hits(replica.copy().orElseThrow()) == expected);
  }
}
