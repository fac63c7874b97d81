package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import io.varve.events.RecordDigest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.rpc.BootstrapWire;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what an empty primary does with plans. */
class BeginningStateTest {

  private static final Manifest MANIFEST =
      new Manifest(
          new ShardId("leader", 0),
          "n1",
          1,
          4,
          40,
          39,
          1,
          38,
          List.of(new SegmentFile("_0.cfs", 10, "id", "1")),
          "",
          Map.of(),
          0);
  private static final BootstrapWire.Plan COPY =
      new BootstrapWire.Plan(MANIFEST, null, null, RecordDigest.UNKNOWN);

  private final BeginningState state = new BeginningState();

  @Test
  void aShardThatIsNotEmptyTakesNoPlan() {
    assertThat(state.plan(COPY)).isFalse();
    assertThat(state.next()).isNull();
    assertThat(state.status()).isEqualTo(BootstrapWire.Status.BEGUN);
  }

  @Test
  void onePlanIsTakenAndCarriedOutOnce() {
    state.awaits("", false);

    assertThat(state.plan(COPY)).isTrue();
    assertThat(state.plan(BootstrapWire.Plan.REPLAY)).isFalse();
    assertThat(state.next()).isEqualTo(COPY);
    assertThat(state.next()).isNull();
  }

  @Test
  void noPlanIsTakenWhileFilesAreCopied() {
    state.awaits("", true);
    state.copying(MANIFEST, 4);

    assertThat(state.status()).isEqualTo(BootstrapWire.Status.copying(10, 4, true, 39));
    assertThat(state.plan(COPY)).isFalse();
  }

  @Test
  void anotherPlanIsAwaitedWhenACopyFailed() {
    state.awaits("", false);
    state.copying(MANIFEST, 4);
    state.awaits("snapshot 1.4 is gone", false);

    assertThat(state.status())
        .isEqualTo(BootstrapWire.Status.awaited("snapshot 1.4 is gone", false));
    assertThat(state.plan(COPY)).isTrue();
  }

  @Test
  void aPlanThatWasNotCarriedOutEndsWithTheBeginning() {
    state.awaits("", false);
    assertThat(state.plan(COPY)).isTrue();
    state.begun();

    assertThat(state.next()).isNull();
    assertThat(state.status().state()).isEqualTo(BootstrapWire.State.BEGUN);
  }
}
