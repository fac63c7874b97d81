package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.shard.primary.PublishCycle.Step;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PublishCycleTest {

  private static final long TERM = 7;

  private final PublishCycle cycle = new PublishCycle(TERM);

  private static Manifest manifest(long generation, long visibleSeqNo) {
    return new Manifest(
        new ShardId("books", 0),
        "n1",
        TERM,
        generation,
        0,
        0,
        TERM,
        visibleSeqNo,
        List.of(),
        "",
        Map.of(),
        0);
  }

  private static Refreshed shown(long generation, long visibleSeqNo) {
    return new Refreshed(TERM, generation, visibleSeqNo);
  }

  /** Publishes the manifest of a first refresh. */
  private void published(Manifest manifest) {
    assertThat(cycle.begin(manifest.visibleSeqNo())).isEqualTo(new Step.Refresh());
    assertThat(cycle.refreshed(manifest, manifest.visibleSeqNo()))
        .isEqualTo(new Step.Append(manifest));
    assertThat(cycle.appended())
        .isEqualTo(
            new Step.Publish(manifest, shown(manifest.generation(), manifest.visibleSeqNo())));
    cycle.shown();
  }

  @Test
  void publishesTheFirstRefreshEvenIfNothingIsApplied() {
    assertThat(cycle.isDue(-1)).isTrue();
    published(manifest(1, -1));
    assertThat(cycle.isDue(-1)).isFalse();
  }

  @Test
  void doesNothingWhenEverythingAppliedIsShown() {
    published(manifest(1, 9));

    assertThat(cycle.begin(9)).isEqualTo(new Step.Done(shown(1, 9)));
    assertThat(cycle.begin(9)).isEqualTo(new Step.Done(shown(1, 9)));
    assertThat(cycle.begin(10)).isEqualTo(new Step.Refresh());
  }

  @Test
  void showsWithoutAManifestWhenNoSegmentChanged() {
    published(manifest(1, 9));
    cycle.begin(10);

    assertThat(cycle.refreshed(null, 10)).isEqualTo(new Step.Show(shown(1, 10)));
    cycle.shown();

    assertThat(cycle.isDue(10)).isFalse();
  }

  @Test
  void appendsTheSameManifestAgainWhenItsAppendIsUnknown() {
    published(manifest(1, 9));
    cycle.begin(12);
    cycle.refreshed(manifest(2, 12), 12);
    cycle.failed();

    assertThat(cycle.isDue(9)).as("although nothing was applied since").isTrue();
    assertThat(cycle.begin(12)).isEqualTo(new Step.Refresh());
    assertThat(cycle.refreshed(null, 12)).isEqualTo(new Step.Append(manifest(2, 12)));
  }

  @Test
  void appendsANewerManifestInPlaceOfOneThatIsUnpublished() {
    cycle.begin(9);
    cycle.refreshed(manifest(1, 9), 9);
    cycle.failed();
    cycle.begin(10);

    assertThat(cycle.refreshed(manifest(2, 10), 10)).isEqualTo(new Step.Append(manifest(2, 10)));
    cycle.appended();
    cycle.shown();

    assertThat(cycle.begin(10)).isEqualTo(new Step.Done(shown(2, 10)));
  }

  @Test
  void refreshesMergedSegmentsOnce() {
    published(manifest(1, 9));
    cycle.merged();

    assertThat(cycle.isDue(9)).isTrue();
    published(manifest(2, 9));

    assertThat(cycle.isDue(9)).isFalse();
  }

  @Test
  void refreshesMergedSegmentsAgainWhenTheRefreshFailed() {
    published(manifest(1, 9));
    cycle.merged();
    cycle.begin(9);
    cycle.failed();

    assertThat(cycle.begin(9)).isEqualTo(new Step.Refresh());
  }

  @Test
  void isDueAgainIfWaitingCallersWereNotNotified() {
    cycle.begin(9);
    cycle.refreshed(manifest(1, 9), 9);
    cycle.appended();
    cycle.failed();

    cycle.begin(9);

    assertThat(cycle.refreshed(null, 9)).isEqualTo(new Step.Append(manifest(1, 9)));
  }

  @Test
  void refusesReportsInTheWrongState() {
    assertThatIllegalStateException().isThrownBy(() -> cycle.refreshed(null, 1));
    assertThatIllegalStateException().isThrownBy(cycle::appended);
    assertThatIllegalStateException().isThrownBy(cycle::shown);
    assertThatIllegalStateException().isThrownBy(cycle::failed);
    cycle.begin(1);
    assertThatIllegalStateException().isThrownBy(() -> cycle.begin(1));
    assertThatIllegalStateException().isThrownBy(cycle::appended);
  }
}
