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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** When a place opens, reports and gives up its copy. */
class HostedCopyTest extends HostedCopyWorld {

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

  /** The log or the primary may let such a proof wait for seconds. */
  @Test
  void aPromotionDoesNotWaitForTheProofOfTheReplica() {
    mayShow = new CountDownLatch(1);
    hosted.want(REPORTED);
    hosted.start();
    await().atMost(LONG).until(() -> asked.get() == 1);

    hosted.want(new Goal.Copy("copy-1", true, 2, false, true));

    var _ = awaitOpened(2);
    assertThat(mayShow.getCount()).isEqualTo(1);
    assertThat(leader.started.get()).isZero();
  }

  @Test
  void aCopyThatFailsDuringItsProofIsOpenedAgainWithoutWaitingForIt() {
    mayShow = new CountDownLatch(1);
    hosted.start();
    await().atMost(LONG).until(() -> asked.get() == 1);

    state = ShardCopy.State.FAILED;
    hosted.broken("the disk");

    var _ = awaitOpened(2);
    assertThat(mayShow.getCount()).isEqualTo(1);
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
