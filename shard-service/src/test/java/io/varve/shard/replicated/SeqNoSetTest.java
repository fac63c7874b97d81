package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeqNoSetTest {

  @Test
  void adjacentIntervalsBecomeOne() {
    SeqNoSet set = new SeqNoSet();
    set.add(5, 6);
    set.add(9, 9);
    set.add(7, 8);
    assertThat(set.intervals()).isEqualTo(1);
    assertThat(set.floor()).isEqualTo(-1);
    set.add(0, 4);
    assertThat(set.floor()).isEqualTo(9);
    assertThat(set.intervals()).isZero();
    assertThat(set.highest()).isEqualTo(9);
  }

  @Test
  void answersAreTheSameWithIntervalsAndWithBits() {
    Random random = new Random(42);
    SeqNoSet set = new SeqNoSet();
    BitSet expected = new BitSet();
    int size = 8 * SeqNoSet.MOST_INTERVALS;
    boolean folded = false;
    for (int i = 0; i < 64_000; i++) {
      int from = random.nextInt(size);
      int to = random.nextInt(50) == 0 ? Math.min(size - 1, from + random.nextInt(20)) : from;
      set.add(from, to);
      expected.set(from, to + 1);
      folded |= i > SeqNoSet.MOST_INTERVALS && set.intervals() == 0;
      int probe = random.nextInt(size);
      assertThat(set.contains(probe)).isEqualTo(expected.get(probe));
      assertThat(set.intervals()).isLessThanOrEqualTo(SeqNoSet.MOST_INTERVALS);
    }
    assertThat(folded).isTrue();
    for (int i = 0; i < size; i++) {
      assertThat(set.contains(i)).isEqualTo(expected.get(i));
    }
    set.add(0, size / 2);
    expected.set(0, size / 2 + 1);
    assertThat(set.floor()).isEqualTo(expected.nextClearBit(0) - 1);
    set.add(0, size);
    assertThat(set.floor()).isEqualTo(size);
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 2 * SeqNoSet.MOST_INTERVALS})
  void aCopyDoesNotFollowChanges(int intervals) {
    SeqNoSet set = new SeqNoSet();
    for (int i = 1; i <= intervals; i++) {
      set.add(2L * i, 2L * i);
    }
    SeqNoSet copy = set.copy();
    set.add(0, 2L * intervals + 9);
    assertThat(copy.floor()).isEqualTo(-1);
    assertThat(copy.highest()).isEqualTo(2L * intervals);
    assertThat(copy.contains(4)).isTrue();
    assertThat(copy.contains(5)).isFalse();
    assertThat(copy.contains(2L * intervals + 9)).isFalse();
  }

  @Test
  void seqNosMayBeFartherApartThanAnIntegerReaches() {
    SeqNoSet set = new SeqNoSet();
    long far = 5L << 32;
    for (long i = 0; i <= 2L * SeqNoSet.MOST_INTERVALS; i++) {
      set.add(far + 2 * i, far + 2 * i);
    }
    set.add(10, 10 + 3L * SeqNoPages.PER_PAGE);
    assertThat(set.intervals()).isZero();
    assertThat(set.contains(far)).isTrue();
    assertThat(set.contains(far + 1)).isFalse();
    assertThat(set.contains(far + 4L * SeqNoSet.MOST_INTERVALS)).isTrue();
    assertThat(set.contains(9)).isFalse();
    assertThat(set.contains(10 + 3L * SeqNoPages.PER_PAGE)).isTrue();
    set.add(0, 9);
    assertThat(set.floor()).isEqualTo(10 + 3L * SeqNoPages.PER_PAGE);
    set.add(11, far);
    assertThat(set.floor()).isEqualTo(far);
    assertThat(set.contains(far + 2)).isTrue();
    set.add(far, far + 4L * SeqNoSet.MOST_INTERVALS);
    assertThat(set.floor()).isEqualTo(set.highest());
  }
}
