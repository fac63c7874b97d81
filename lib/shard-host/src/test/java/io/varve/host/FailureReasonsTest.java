package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailureReasonsTest {

  @Test
  void aFailureIsToldWithItsFirstCause() {
    IOException full = new IOException("_1.fdt: No space left on device");
    IllegalStateException ended = new IllegalStateException("the writer is closed", full);

    assertThat(FailureReasons.of(new RuntimeException("can't apply", ended)))
        .isEqualTo(
            "java.lang.RuntimeException: can't apply; caused by java.io.IOException: _1.fdt: No"
                + " space left on device");
  }

  @Test
  void aCauseThatIsToldAlreadyIsNotRepeated() {
    IOException full = new IOException("No space left on device");

    assertThat(FailureReasons.of(full)).isEqualTo("java.io.IOException: No space left on device");
    assertThat(FailureReasons.of(new RuntimeException(full)))
        .isEqualTo("java.lang.RuntimeException: java.io.IOException: No space left on device");
  }

  @Test
  void causesThatFormARingEnd() {
    RuntimeException one = new RuntimeException("one");
    one.initCause(new RuntimeException("other", one));

    assertThat(FailureReasons.of(one)).startsWith("java.lang.RuntimeException: one");
  }
}
