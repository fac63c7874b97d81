package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class FullDiskTest {

  @Test
  void isToldFromADiskThatFailsByTheMessageOfAnyCause() {
    IOException full = new IOException("/data/_1.fdt: No space left on device");

    assertThat(FullDisk.caused(full)).isTrue();
    assertThat(FullDisk.caused(new IllegalStateException("x", new UncheckedIOException(full))))
        .isTrue();
    assertThat(FullDisk.caused(new IOException("Disk quota exceeded"))).isTrue();
    assertThat(FullDisk.caused(new IOException("Input/output error"))).isFalse();
    assertThat(FullDisk.caused(new IllegalStateException())).isFalse();
  }
}
