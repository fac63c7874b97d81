package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.SelectionSampler.Counts;
import org.junit.jupiter.api.Test;

class SelectionCountsTest {

  private static final Counts EARLIER = new Counts(100, 20, 10, 1);
  private static final Counts LATER = new Counts(300, 70, 60, 5);

  @Test
  void sinceALookIsTheDifference() {
    assertThat(LATER.since(EARLIER)).isEqualTo(new Counts(200, 50, 50, 4));
    assertThat(EARLIER.plus(LATER.since(EARLIER))).isEqualTo(LATER);
  }

  @Test
  void aNodeThatWasForgottenMeanwhileCountsFromZero() {
    assertThat(EARLIER.since(LATER)).isEqualTo(EARLIER);
  }

  @Test
  void theShareOfTheVictimIsOfAllAndThatOfExtrasOfTheOthers() {
    assertThat(LATER.victimPercent()).isEqualTo(100.0 * 70 / 300);
    assertThat(LATER.extraPercent()).isEqualTo(25);
    assertThat(Counts.NONE.victimPercent()).isNaN();
    assertThat(Counts.NONE.extraPercent()).isNaN();
  }
}
