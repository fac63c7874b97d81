package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeapShareTest {

  @ParameterizedTest
  @CsvSource({
    "60%, 1000, 600",
    "0.5%, 1000, 5",
    "10b, 1000, 10",
    "0, 1000, 0",
    "2kb, 1000, 2048",
    "1.5MB, 1000, 1572864",
    "1g, 1000, 1073741824",
    "-1, 1000, 9223372036854775807"
  })
  void readsSizesAndShares(String text, long heap, long bytes) {
    assertThat(HeapShare.bytes(text, heap)).isEqualTo(bytes);
  }
}
