package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.BootstrapDecision.Choice;
import io.varve.ccr.BootstrapDecision.LeaderLog;
import io.varve.ccr.BootstrapSchedule.Step;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.rpc.BootstrapWire;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests where the lease is taken before a plan is sent. */
class BootstrapScheduleTest {

  private static final LeaderLog WHOLE = new LeaderLog(0, 1_024);
  private static final LeaderLog TRUNCATED = new LeaderLog(12, 1_024);
  private static final Manifest MANIFEST = manifest(40);

  private static Manifest manifest(long nextOffset) {
    return new Manifest(
        new ShardId("leader", 0),
        "n1",
        1,
        4,
        nextOffset,
        nextOffset - 1,
        1,
        nextOffset - 2,
        List.of(new SegmentFile("_0.cfs", 10, "id", "1")),
        "",
        Map.of(),
        0);
  }

  private static BootstrapSchedule awaited(boolean mustCopy) {
    BootstrapSchedule schedule = new BootstrapSchedule(BootstrapWire.Status.awaited("", mustCopy));
    assertThat(schedule.begin()).isEqualTo(new Step.ReadLeader());
    return schedule;
  }

  @Test
  void aLogThatIsReplayedIsRetainedFromItsFirstRecordThoughAManifestIsNewer() {
    BootstrapSchedule schedule = awaited(false);

    assertThat(schedule.read(MANIFEST, WHOLE)).isEqualTo(new Step.TakeLease(0));
    assertThat(schedule.leased(true, "")).isEqualTo(new Step.ReadLog());
    assertThat(schedule.bounds(WHOLE)).isEqualTo(new Step.Send(new Choice.Replay()));
  }

  /** Its first operations may be truncated as soon as they are published. */
  @Test
  void aLeaderThatHasNothingIsRetainedFromItsFirstRecordAndReplayed() {
    BootstrapSchedule schedule = awaited(false);
    LeaderLog empty = new LeaderLog(0, 0);

    assertThat(schedule.read(null, empty)).isEqualTo(new Step.TakeLease(0));
    assertThat(schedule.leased(true, "")).isEqualTo(new Step.ReadLog());
    assertThat(schedule.bounds(empty)).isEqualTo(new Step.Send(new Choice.Replay()));
  }

  @Test
  void aManifestThatIsCopiedIsRetainedFromItsLastRecord() {
    BootstrapSchedule schedule = awaited(false);

    assertThat(schedule.read(MANIFEST, TRUNCATED)).isEqualTo(new Step.TakeLease(39));
    assertThat(schedule.leased(true, "")).isEqualTo(new Step.ReadLog());
    assertThat(schedule.bounds(TRUNCATED)).isEqualTo(new Step.Send(new Choice.Copy(MANIFEST)));
  }

  @Test
  void aLogThatWasTruncatedBeforeTheLeaseWasTakenIsNotReplayed() {
    BootstrapSchedule schedule = awaited(false);
    var _ = schedule.read(MANIFEST, WHOLE);
    var _ = schedule.leased(true, "");

    assertThat(schedule.bounds(TRUNCATED)).isEqualTo(new Step.Send(new Choice.Copy(MANIFEST)));
  }

  @Test
  void aManifestThatTheLogNoLongerContinuesIsNotCopied() {
    BootstrapSchedule schedule = awaited(false);
    var _ = schedule.read(MANIFEST, TRUNCATED);
    var _ = schedule.leased(true, "");

    assertThat(schedule.bounds(new LeaderLog(41, 1_024)))
        .isEqualTo(
            new Step.Fail(
                "the leader's log begins at offset 41, and its newest manifest needs it from 40"));
  }

  @Test
  void aLogThatMayNotBeRetainedFromItsFirstRecordIsNotReplayed() {
    BootstrapSchedule schedule = awaited(false);
    var _ = schedule.read(MANIFEST, WHOLE);

    assertThat(schedule.leased(false, "over the limit")).isEqualTo(new Step.TakeLease(39));
    assertThat(schedule.leased(true, "")).isEqualTo(new Step.ReadLog());
    assertThat(schedule.bounds(WHOLE)).isEqualTo(new Step.Send(new Choice.Copy(MANIFEST)));
  }

  @Test
  void nothingIsSentWithoutALease() {
    BootstrapSchedule withoutManifest = awaited(false);
    var _ = withoutManifest.read(null, WHOLE);
    assertThat(withoutManifest.leased(false, ""))
        .isEqualTo(new Step.Fail("the lease could not be taken"));

    BootstrapSchedule copies = awaited(true);
    var _ = copies.read(MANIFEST, WHOLE);
    assertThat(copies.leased(false, "it was removed"))
        .isEqualTo(new Step.Fail("the lease could not be taken; it was removed"));
  }

  @Test
  void aPrimaryThatCopiesNeedsALeaseAndOneThatHasBegunNothing() {
    assertThat(new BootstrapSchedule(BootstrapWire.Status.copying(10, 5, false, 39)).begin())
        .isEqualTo(new Step.RenewLease(39));
    assertThat(new BootstrapSchedule(BootstrapWire.Status.BEGUN).begin())
        .isEqualTo(new Step.Done());
  }
}
