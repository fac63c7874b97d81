package io.varve.store;

import static io.varve.store.StartReadiness.Report.BEHIND;
import static io.varve.store.StartReadiness.Report.NOW;
import static io.varve.store.StartReadiness.Report.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the table of {@link StartReadiness}. */
class StartReadinessTest {

  private final StartReadiness readiness = new StartReadiness();

  @ParameterizedTest
  @CsvSource({
    "7, 6, false, WAIT",
    "7, 6, true,  BEHIND",
    "7, 7, false, NOW",
    "7, 8, true,  NOW",
    "-1, -1, false, NOW",
  })
  void isReportedWhenItShowsWhatWasPublishedOrServesAlone(
      long required, long visible, boolean alone, StartReadiness.Report report) {
    readiness.readToTheEnd(required);
    assertThat(readiness.report(visible, alone)).isEqualTo(report);
  }

  @Test
  void waitsForTheEndOfTheManifestsUnlessItServesAlone() {
    assertThat(readiness.isFixed()).isFalse();
    assertThat(readiness.report(100, false)).isEqualTo(WAIT);
    assertThat(readiness.report(100, true)).isEqualTo(BEHIND);
    assertThatThrownBy(readiness::requiredSeqNo).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void newerManifestsDoNotDelayTheReport() {
    assertThat(readiness.readToTheEnd(3)).isEqualTo(3);
    assertThat(readiness.readToTheEnd(9)).isEqualTo(3);
    assertThat(readiness.requiredSeqNo()).isEqualTo(3);
    assertThat(readiness.report(3, false)).isEqualTo(NOW);
  }

  /** Its node was away from the cluster, and others have shown more meanwhile. */
  @Test
  void whatItMustShowIsFixedAnewForEachReport() {
    readiness.readToTheEnd(3);
    assertThat(readiness.report(3, false)).isEqualTo(NOW);

    assertThat(readiness.isFixed()).isFalse();
    assertThat(readiness.readToTheEnd(9)).isEqualTo(9);
    assertThat(readiness.report(3, false)).isEqualTo(WAIT);
    assertThat(readiness.report(9, false)).isEqualTo(NOW);
  }

  @Test
  void answersReadsOnceItShowsWhatWasShownBefore() {
    assertThat(readiness.answersReads(-1)).isTrue();
    readiness.startBehind(5);
    assertThat(readiness.answersReads(4)).isFalse();
    assertThat(readiness.answersReads(5)).isTrue();
  }
}
