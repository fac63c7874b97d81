package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.Topics;
import io.varve.events.CopyProgress;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.UnreadableRecordException;
import io.varve.process.Ticker;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses a copy whose state is set by the test, and a leader that counts the calls it receives. */
class HostedCopyTest {

  private static final Goal WANTED = new Goal.Copy("copy-1", false, 0, false, false);
  private static final Goal REPORTED = new Goal.Copy("copy-1", false, 0, false, true);

  private static final Goal ANEW = new Goal.Copy("copy-2", false, 0, false, true);
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;
  private Path segments;
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger looked = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean showsNewest = true;

  /** Whether the place said so while the copy was closed last. */
  private volatile boolean closing;

  private final Leader leader = new Leader();
  private volatile ShardCopy.State state = ShardCopy.State.STARTED;
  private volatile Optional<String> damage = Optional.empty();
  private volatile @Nullable Exception refusal;
  private NodeWorld world;
  private HostedCopy hosted;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    NodeContext node = world.node("n1", leader);
    Path home = Folders.of(node.settings().data(), NodeWorld.SHARD);
    segments = Files.createDirectories(Folders.segments(home));
    hosted =
        new HostedCopy(
            node,
            NodeWorld.SHARD,
            WANTED,
            (_, _, _) -> copy(),
            new ProgressPublisher(node.log(), node.topics(), node.timer(), Ticker.SYSTEM),
            new Suspicions(),
            new IgnoringWatcher());
  }

  @AfterEach
  void close() throws Exception {
    hosted.want(new Goal.Nothing(false));
    hosted.awaitEnd(LONG);
    world.close();
  }

  private ShardCopy copy() {
    opened.incrementAndGet();
    state = ShardCopy.State.STARTED;
    return (ShardCopy)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ShardCopy.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "state" -> {
                    looked.incrementAndGet();
                    yield state;
                  }
                  case "primary", "strong" -> false;
                  case "close" -> {
                    closing = hosted.isClosing() && hosted.copy().isEmpty();
                    yield null;
                  }
                  case "damage" -> damage;
                  case "fork" -> Optional.empty();
                  case "showNewest" -> {
                    asked.incrementAndGet();
                    yield showsNewest;
                  }
                  case "start" -> {
                    Exception refused = refusal;
                    if (refused != null) {
                      throw refused;
                    }
                    yield null;
                  }
                  default -> null;
                });
  }

  private static final class Leader extends UnexpectedCalls {

    final AtomicInteger started = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    final AtomicInteger terms = new AtomicInteger();

    @Override
    public long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
      return terms.incrementAndGet();
    }

    @Override
    public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
      started.incrementAndGet();
      throw new ApiException(503, "cluster_manager_not_discovered_exception", "on purpose");
    }

    @Override
    public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
      return failed.incrementAndGet();
    }
  }

  @Test
  void aPlaceIsClosingWhileItsCopyIsClosed() {
    hosted.start();
    var _ = awaitOpened(1);
    assertThat(hosted.isClosing()).isFalse();

    hosted.want(ANEW);
    var _ = awaitOpened(2);

    assertThat(closing).isTrue();
    assertThat(hosted.isClosing()).isFalse();
  }

  @Test
  void aCopyThatFailsOnceIsOpenedAgainHoweverOftenItsStartHadToBeReported() {
    hosted.start();
    for (int report = 1; report <= 6; report++) {
      int heard = report;
      await().atMost(LONG).until(() -> leader.started.get() >= heard);
      hosted.broken("news that cut the pause short");
    }
    hosted.want(REPORTED);
    // One check may have started before the new goal; the check after it uses the new goal.
    int before = looked.get();
    await()
        .atMost(LONG)
        .until(() -> {
          hosted.broken("news that bring another look");
          return looked.get() >= before + 2;
        });
    assertThat(opened.get()).isEqualTo(1);

    state = ShardCopy.State.FAILED;
    hosted.broken("the disk");

    await().atMost(LONG).until(() -> opened.get() == 2);
    assertThat(leader.failed.get()).isZero();
  }

  @Test
  void aCopyIsReportedAsStartedWhenItShowsWhatOthersShowAndNotBefore() {
    showsNewest = false;
    hosted.start();
    await().atMost(LONG).until(() -> asked.get() >= 3);
    assertThat(leader.started.get()).isZero();

    showsNewest = true;

    await().atMost(LONG).until(() -> leader.started.get() > 0);
    assertThat(opened.get()).isEqualTo(1);
  }

  @Test
  void anOpeningProvesItsStartAlthoughTheLateReportOfTheFormerOneIsDecided() {
    hosted.start();
    await().atMost(LONG).until(() -> leader.started.get() > 0);
    showsNewest = false;
    state = ShardCopy.State.FAILED;
    hosted.broken("the disk");
    await().atMost(LONG).until(() -> opened.get() == 2);
    hosted.want(REPORTED);
    // One check may have started before the new goal.
    int before = asked.get();
    await().atMost(LONG).until(() -> asked.get() >= before + 2);
    int reports = leader.started.get();

    showsNewest = true;

    await()
        .atMost(LONG)
        .until(() -> {
          int askedBefore = asked.get();
          int lookedBefore = looked.get();
          hosted.broken("news that bring another look");
          await().atMost(LONG).until(() -> looked.get() > lookedBefore);
          return asked.get() == askedBefore;
        });
    assertThat(leader.started.get()).isEqualTo(reports);
    assertThat(opened.get()).isEqualTo(2);
  }

  private ShardCopy awaitOpened(int times) {
    await().atMost(LONG).until(() -> opened.get() == times && hosted.copy().isPresent());
    return hosted.copy().orElseThrow();
  }

  @Test
  void damageIsMarkedAtOnceAndVerifiedByWhoeverOpensTheFolderNext() throws IOException {
    hosted.want(REPORTED);
    hosted.start();
    ShardCopy first = awaitOpened(1);
    Files.write(segments.resolve("segments_1"), new byte[40]);

    hosted.damaged(first, "a block");
    assertThat(segments.resolve("suspect")).exists();
    hosted.want(ANEW);

    awaitOpened(2);
    assertThat(segments).isEmptyDirectory();
  }

  @Test
  void damageThatAClosedCopyHasReadIsNotForgotten() throws Exception {
    hosted.want(REPORTED);
    hosted.start();
    ShardCopy first = awaitOpened(1);
    hosted.want(new Goal.Nothing(false));
    assertThat(hosted.awaitEnd(LONG)).isTrue();

    hosted.damaged(first, "a block");

    assertThat(segments.resolve("suspect")).exists();
  }

  @Test
  void aFolderThatCanNotBeMarkedIsVerifiedAllTheSame() throws IOException {
    hosted.want(REPORTED);
    hosted.start();
    ShardCopy first = awaitOpened(1);
    Files.write(segments.resolve("segments_1"), new byte[40]);
    Files.createSymbolicLink(segments.resolve("suspect"), folder.resolve("no/such/place"));

    hosted.damaged(first, "a block");
    hosted.want(ANEW);

    awaitOpened(2);
    assertThat(segments).isEmptyDirectory();
  }

  @Test
  void aReasonForWhichEveryFileWasFoundGoodGivesNoCopyUpAgain() {
    hosted.want(REPORTED);
    hosted.start();
    hosted.damaged(awaitOpened(1), "a block");
    await().atMost(LONG).until(() -> leader.failed.get() > 0);
    hosted.want(ANEW);
    ShardCopy second = awaitOpened(2);
    int heard = leader.failed.get();

    hosted.damaged(second, "a block");
    assertThat(segments.resolve("suspect")).doesNotExist();
    assertThat(leader.failed.get()).isEqualTo(heard);
    assertThat(hosted.copy()).containsSame(second);

    hosted.damaged(second, "another block");
    await().atMost(LONG).until(() -> leader.failed.get() > heard);
    assertThat(segments.resolve("suspect")).exists();
    assertThat(hosted.copy()).isEmpty();
  }

  @Test
  void aCopyThatFailedForDamageIsGivenUpAndNotOpenedAgain() {
    hosted.want(REPORTED);
    hosted.start();
    awaitOpened(1);

    damage = Optional.of("a block");
    state = ShardCopy.State.FAILED;
    hosted.broken("a merge");

    await().atMost(LONG).until(() -> leader.failed.get() > 0);
    assertThat(segments.resolve("suspect")).hasContent("a block");
    assertThat(opened.get()).isEqualTo(1);
  }

  @Test
  void damageThatIsMetWhileACopyClosesMarksItsFolder() throws Exception {
    hosted.want(REPORTED);
    hosted.start();
    awaitOpened(1);

    damage = Optional.of("a block");
    hosted.want(new Goal.Nothing(false));

    assertThat(hosted.awaitEnd(LONG)).isTrue();
    assertThat(segments.resolve("suspect")).hasContent("a block");
  }

  /** Returns the failures in the published progress of the copy. */
  private List<String> failures() throws LogException {
    PartitionLog progress =
        world
            .node("n1")
            .log()
            .open(
                world.node("n1").topics().progress(),
                Topics.partitionOf("copy-1", Topics.PROGRESS_PARTITIONS));
    List<String> failures = new ArrayList<>();
    progress.read(
        progress.startOffset(),
        progress.endOffset(),
        stored -> {
          byte[] value = stored.record().value();
          if (value != null) {
            failures.add(String.valueOf(Json.read(value, CopyProgress.class).failure()));
          }
        });
    return failures;
  }

  @Test
  void aPrimaryThatRefusesItsLogKeepsItsPlaceSaysWhyAndAsksForNoTerm() {
    refusal = new LogException.Lost(world.operations(), "it ends at offset 6");
    hosted.want(new Goal.Copy("copy-1", true, 1, false, false));
    hosted.start();

    await()
        .atMost(LONG)
        .untilAsserted(() ->
            assertThat(failures())
                .isNotEmpty()
                .allSatisfy(said -> assertThat(said).contains("ends at offset 6")));

    assertThat(hosted.copy()).isEmpty();
    assertThat(leader.terms.get()).isZero();
    assertThat(leader.failed.get()).isZero();
  }

  @Test
  void aPrimaryIsOpenedInItsTermOnceTheLogIsRestored() throws Exception {
    refusal = new LogException.Lost(world.operations(), "it ends at offset 6");
    hosted.want(new Goal.Copy("copy-1", true, 1, false, true));
    hosted.start();
    await().atMost(LONG).until(() -> !failures().isEmpty());
    assertThat(hosted.copy()).isEmpty();

    refusal = null;
    hosted.broken("news that cut the pause short");

    await().atMost(LONG).until(() -> hosted.copy().isPresent());
    assertThat(leader.terms.get()).isZero();
  }

  @Test
  void aReplicaThatCanNotReadARecordIsReportedAtOnce() {
    refusal =
        new IllegalStateException(
            new UnreadableRecordException(world.operations(), 7, new IllegalStateException("F")));
    hosted.want(REPORTED);
    hosted.start();

    await().atMost(LONG).until(() -> leader.failed.get() > 0);
    assertThat(hosted.copy()).isEmpty();
  }

  @Test
  void aReplicaThatLacksTheLogsEndKeepsItsPlaceOnceItIsNotCalledStarted() {
    refusal = new LogException.Lost(world.operations(), "it ends at offset 6");
    hosted.want(REPORTED);
    hosted.start();
    await().atMost(LONG).until(() -> leader.failed.get() > 0);
    int before = opened.get();

    hosted.want(new Goal.Copy("copy-2", false, 0, false, false));

    await().atMost(LONG).until(() -> opened.get() > before);
    int heard = leader.failed.get();
    int tried = opened.get();
    await()
        .atMost(LONG)
        .until(() -> {
          hosted.broken("news that cut the pause short");
          return opened.get() >= tried + 3;
        });
    assertThat(leader.failed.get()).isEqualTo(heard);
    // It may be open until its start is refused.
    await().atMost(LONG).until(() -> hosted.copy().isEmpty());
  }

  @Test
  void aReplicaThatLacksTheLogsEndIsReportedOnceTheShardContinuesWithoutIt() throws Exception {
    refusal = new LogException.Lost(world.operations(), "it ends at offset 6");
    hosted.want(new Goal.Copy("copy-1", false, 0, false, false));
    hosted.start();
    await().atMost(LONG).until(() -> !failures().isEmpty());
    assertThat(leader.failed.get()).isZero();

    new ManifestLog(world.manifests())
        .append(new Manifest(NodeWorld.SHARD, "n2", 1, 1, 0, 0, 0, -1, List.of(), "", Map.of(), 0));

    await()
        .atMost(LONG)
        .until(() -> {
          hosted.broken("news that cut the pause short");
          return leader.failed.get() > 0;
        });
  }
}
