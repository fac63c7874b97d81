package io.varve.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackedWriterTest {

  private static final int KB = 1024;

  @Test
  void hasEachLargeArrayAllocatedByWhoeverKnowsTheRoom() {
    List<Integer> asked = new ArrayList<>();
    PackedWriter writer =
        new PackedWriter(
            40 * KB,
            size -> {
              asked.add(size);
              return new byte[size];
            });

    writer.writeBytes(new byte[30 * KB]);
    assertThat(asked).isEmpty();
    writer.writeBytes(new byte[30 * KB]);
    assertThat(asked).containsExactly(80 * KB);
    writer.writeBytes(new byte[200 * KB]);
    assertThat(asked).hasSize(2).last().isEqualTo(writer.sizeBytes());
    byte[] written = writer.toByteArray();
    assertThat(asked).hasSize(3).last().isEqualTo(written.length);
    assertThat(new PackedReader(written).readBytes()).hasSize(30 * KB);
  }

  @Test
  void holdsNoMoreWhereThereIsNoRoom() {
    PackedWriter writer =
        new PackedWriter(
            16,
            bytes -> {
              throw new IllegalStateException("no room for " + bytes);
            });
    writer.writeBytes(new byte[20 * KB]);

    assertThatThrownBy(() -> writer.writeBytes(new byte[60 * KB]))
        .hasMessageStartingWith("no room for ");
  }
}
