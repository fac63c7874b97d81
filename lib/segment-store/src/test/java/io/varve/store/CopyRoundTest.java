package io.varve.store;

import static io.varve.store.TestFiles.manifest;
import static io.varve.store.TestFiles.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyRoundTest {

  private static final SegmentFile SMALL = named("_0.cfs", 10, 1);
  private static final SegmentFile LARGE = named("_1.cfs", 100, 2);
  private static final Manifest FIRST = manifest(1, 1, SMALL, LARGE);

  @Test
  void goesFromPlanToDone() {
    CopyRound round = new CopyRound(FIRST);
    assertThat(round.state()).isEqualTo(CopyRound.State.PLANNING);

    round.planned(LocalFiles.NONE);
    assertThat(round.state()).isEqualTo(CopyRound.State.FETCHING);
    assertThat(round.takeNext()).contains(new CopyPlan.Fetch(SMALL, 0));
    assertThat(round.takeNext()).contains(new CopyPlan.Fetch(LARGE, 0));
    assertThat(round.takeNext()).isEmpty();
    round.arrived(LARGE);
    assertThat(round.missingBytes()).isEqualTo(10);
    round.arrived(SMALL);
    assertThat(round.state()).isEqualTo(CopyRound.State.INSTALLING);
    round.installed();

    assertThat(round.state()).isEqualTo(CopyRound.State.DONE);
  }

  @Test
  void installsAtOnceWhenAllIsHere() {
    CopyRound round = new CopyRound(FIRST);
    round.planned(new LocalFiles(List.of(SMALL, LARGE), Map.of()));

    assertThat(round.state()).isEqualTo(CopyRound.State.INSTALLING);
  }

  @Test
  void refusesWhatItsStateDoesNotAllow() {
    CopyRound round = new CopyRound(FIRST);

    assertThatIllegalStateException().isThrownBy(round::installed);
    assertThatIllegalStateException().isThrownBy(() -> round.arrived(SMALL));
    round.failed("disk full");
    assertThat(round.failure()).isEqualTo("disk full");
    assertThatIllegalStateException().isThrownBy(() -> round.failed("again"));
    assertThatIllegalStateException().isThrownBy(() -> round.planned(LocalFiles.NONE));
  }

  @Test
  void yieldsToANewerManifestThatNeedsNoMore() {
    CopyRound round = fetching();
    Manifest merged = manifest(1, 2, named("_2.cfs", 90, 3));

    assertThat(round.shouldYieldTo(merged)).isTrue();
  }

  @Test
  void finishesFirstWhenTheNewerNeedsMore() {
    CopyRound round = fetching();
    Manifest more = manifest(1, 2, SMALL, LARGE, named("_2.cfs", 1, 3));

    assertThat(round.shouldYieldTo(more)).isFalse();
  }

  @Test
  void alwaysYieldsToANewTerm() {
    Manifest more = manifest(2, 1, SMALL, LARGE, named("_2.cfs", 1000, 3));

    assertThat(fetching().shouldYieldTo(more)).isTrue();
  }

  @Test
  void neverYieldsWhileInstallingNorToWhatIsNotNewer() {
    CopyRound installing = new CopyRound(FIRST);
    installing.planned(new LocalFiles(List.of(SMALL, LARGE), Map.of()));

    assertThat(installing.shouldYieldTo(manifest(2, 1))).isFalse();
    assertThat(fetching().shouldYieldTo(FIRST)).isFalse();
    assertThat(fetching().shouldYieldTo(manifest(1, 0))).isFalse();
  }

  @Test
  void theSuccessorKeepsWhatArrived() {
    CopyRound round = fetching();
    round.takeNext();
    round.takeNext();
    round.arrived(SMALL);
    round.progressed(LARGE, 60);
    SegmentFile third = named("_2.cfs", 5, 3);

    CopyRound successor = round.yieldTo(manifest(2, 1, SMALL, LARGE, third));

    assertThat(round.state()).isEqualTo(CopyRound.State.SUPERSEDED);
    assertThat(successor.state()).isEqualTo(CopyRound.State.FETCHING);
    assertThat(successor.currentPlan().reuse()).containsExactly(SMALL);
    assertThat(successor.missingBytes()).isEqualTo(45);
    assertThat(successor.takeNext()).contains(new CopyPlan.Fetch(third, 0));
    assertThat(successor.takeNext()).contains(new CopyPlan.Fetch(LARGE, 60));
  }

  @Test
  void endsHoweverFastManifestsCome() {
    CopyRound round = fetching();
    long missing = round.missingBytes();
    for (int generation = 2; generation < 200; generation++) {
      Manifest newer =
          manifest(1, generation, LARGE, named("_" + generation + ".cfs", generation, generation));
      if (round.shouldYieldTo(newer)) {
        round = round.yieldTo(newer);
      }
      assertThat(round.missingBytes()).isLessThanOrEqualTo(missing);
      missing = round.missingBytes();
    }
  }

  @Test
  void tellsWhatItIsForAndWhatItHas() {
    CopyRound round = new CopyRound(FIRST);
    assertThat(round.target()).isEqualTo(FIRST);
    assertThat(round.planned(LocalFiles.NONE).fetches()).hasSize(2);
    round.takeNext();
    round.arrived(SMALL);

    assertThat(round.arrivedFiles()).containsExactly(SMALL);
    CopyRound successor = round.yieldTo(manifest(2, 1, SMALL, LARGE));
    assertThat(successor.arrivedFiles()).containsExactly(SMALL);
  }

  @Test
  void refusesAFileThatIsNotUnderWay() {
    CopyRound round = fetching();

    assertThatIllegalStateException().isThrownBy(() -> round.arrived(SMALL));
  }

  @Test
  void yieldsOnlyToWhatIsNewerAndOnlyBeforeItInstalls() {
    assertThatIllegalArgumentException().isThrownBy(() -> fetching().yieldTo(FIRST));
    CopyRound failed = fetching();
    failed.failed("broken");
    assertThatIllegalStateException().isThrownBy(() -> failed.yieldTo(manifest(2, 1)));
    CopyRound planning = new CopyRound(FIRST);
    assertThat(planning.shouldYieldTo(manifest(1, 2))).isTrue();
    assertThat(planning.yieldTo(manifest(1, 2)).state()).isEqualTo(CopyRound.State.PLANNING);
  }

  @Test
  void countsWhatWasHereOfAFileThatIsUnderWay() {
    CopyRound round = new CopyRound(FIRST);
    round.planned(new LocalFiles(List.of(), Map.of(CopyPlanner.tempName(LARGE), 30L)));
    round.takeNext();
    round.takeNext();

    assertThat(round.missingBytes()).isEqualTo(80);
  }

  @ParameterizedTest
  @CsvSource({
    "PLANNING, false",
    "FETCHING, false",
    "INSTALLING, false",
    "DONE, true",
    "SUPERSEDED, true",
    "FAILED, true",
  })
  void endsInThreeWays(CopyRound.State state, boolean ended) {
    assertThat(state.ended()).isEqualTo(ended);
  }

  private static CopyRound fetching() {
    CopyRound round = new CopyRound(FIRST);
    round.planned(LocalFiles.NONE);
    return round;
  }
}
