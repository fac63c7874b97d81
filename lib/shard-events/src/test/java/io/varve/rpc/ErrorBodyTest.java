package io.varve.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorBodyTest {

  @Test
  void keepsTheTwoEndsOfALongReason() {
    String query = "word OR ".repeat(12_000);
    ErrorBody error = ErrorBody.illegalArgument("Failed to parse query [" + query + "]");
    assertThat(error.reason())
        .hasSizeLessThan(2_100)
        .startsWith("Failed to parse query [word OR ")
        .contains(" characters left out] ")
        .endsWith("word OR ]");
  }

  @Test
  void leavesAReasonOfUsualLengthAsItIs() {
    String reason = "x".repeat(2_000);
    assertThat(ErrorBody.illegalArgument(reason).reason()).isEqualTo(reason);
  }

  @Test
  void neverCutsACharacterInTwo() {
    for (String start : new String[] {"", "x"}) {
      String reason = ErrorBody.illegalArgument(start + "\ud83d\ude00".repeat(5_000)).reason();
      assertThat(reason.getBytes(java.nio.charset.StandardCharsets.UTF_8))
          .asString(java.nio.charset.StandardCharsets.UTF_8)
          .isEqualTo(reason);
    }
  }
}
