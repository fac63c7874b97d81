package io.varve.events;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RuntimeTest {

  @Test
  void runsOnTheJavaThatTheSourcesAreWrittenFor() {
    assertThat(Runtime.version().feature()).isEqualTo(25);
  }
}
