package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnshownReadsTest {

  private final UnshownReads unshown = new UnshownReads();

  @Test
  void whatIsAppliedAndNotShownIsAsOldAsTheFirstOfIt() {
    assertThat(unshown.oldestMillis()).isZero();
    unshown.read(0, 100);
    unshown.read(1, 200);
    unshown.applied(2);

    assertThat(unshown.oldestMillis()).isEqualTo(100);
    assertThat(unshown.showing(2)).isEqualTo(100);
    assertThat(unshown.oldestMillis()).isZero();
  }

  @Test
  void whatARefreshDoesNotShowKeepsItsAge() {
    unshown.read(0, 100);
    unshown.read(1, 200);
    unshown.read(2, 300);
    unshown.applied(1);

    assertThat(unshown.showing(1)).isEqualTo(100);
    assertThat(unshown.oldestMillis()).isEqualTo(200);

    unshown.applied(3);
    unshown.read(3, 400);
    assertThat(unshown.oldestMillis()).isEqualTo(200);
    assertThat(unshown.showing(3)).isEqualTo(200);
    assertThat(unshown.oldestMillis()).isEqualTo(400);
  }
}
