package io.varve.engine.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellsTest {

  private static final int MB = 1 << 20;

  private final AtomicLong charged = new AtomicLong();
  private final MemoryAccount memory =
      new MemoryAccount() {
        @Override
        public void charge(long bytes) {
          charged.addAndGet(bytes);
        }

        @Override
        public void close() {}
      };

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 65_535, 65_536, 65_537, 131_071, 131_072, 20_000_000})
  void eachBucketHasItsOwnCell(int bucket) {
    LongCells longs = new LongCells(memory);
    DoubleCells doubles = new DoubleCells(memory, Double.POSITIVE_INFINITY);
    ObjectCells<String> objects = new ObjectCells<>(memory);

    longs.add(bucket, 3);
    longs.add(bucket, 4);
    doubles.set(bucket, 1.5);
    objects.set(bucket, "found");

    assertThat(longs.get(bucket)).isEqualTo(7);
    assertThat(doubles.get(bucket)).isEqualTo(1.5);
    assertThat(objects.get(bucket)).isEqualTo("found");
    assertThat(objects.size()).isGreaterThan(bucket);
    for (int other : new int[] {bucket - 1, bucket + 1, bucket ^ 65_536, bucket + 40_000_000}) {
      if (other >= 0) {
        assertThat(longs.get(other)).isZero();
        assertThat(doubles.get(other)).isInfinite();
        assertThat(objects.get(other)).isNull();
      }
    }
  }

  @Test
  void onlyUsedPagesAreAllocated() {
    LongCells cells = new LongCells(memory);

    cells.add(100, 1);
    assertThat(charged.get()).isLessThan(1_000);
    cells.add(2_000_000_000, 1);
    assertThat(charged.get()).isLessThan(MB);
    cells.add(1_000_000_000, 1);
    assertThat(charged.get()).isLessThan(2 * MB);
  }

  @Test
  void chargedMemoryIsTheMemoryOfTheCachedValues() {
    LongCells cells = new LongCells(memory);
    for (int bucket = 0; bucket < 1_000_000; bucket++) {
      cells.add(bucket, bucket);
    }

    assertThat(charged.get()).isBetween(8_000_000L, 8_000_000L + MB);
    assertThat(cells.get(999_999)).isEqualTo(999_999);
    assertThat(cells.get(65_536)).isEqualTo(65_536);
  }
}
