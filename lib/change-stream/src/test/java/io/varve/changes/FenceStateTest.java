package io.varve.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.LogPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class FenceStateTest {

  @Test
  void theTextIsPartOfTheFormatOfCommittedOffsets() {
    LogPosition position = new LogPosition(9, 17, 3);

    assertThat(FenceState.write(position)).isEqualTo("varve-fence/1 term=3 next_seq_no=17");
    assertThat(FenceState.read(9, "varve-fence/1 term=3 next_seq_no=17")).contains(position);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "mine",
        "varve-fence/2 term=3 next_seq_no=17",
        "varve-fence/1 term=-3 next_seq_no=17",
        "varve-fence/1 term=3 next_seq_no=99999999999999999999"
      })
  void othersMetadataHoldsNoState(String metadata) {
    assertThat(FenceState.read(9, metadata)).isEmpty();
  }
}
