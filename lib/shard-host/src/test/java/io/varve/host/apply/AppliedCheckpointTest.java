package io.varve.host.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.host.apply.AppliedCheckpoint.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AppliedCheckpointTest {

  @Test
  void risesOnlyWithoutAHole() {
    AppliedCheckpoint checkpoint = new AppliedCheckpoint(10, 5, 100);

    assertThat(checkpoint.applied(6, 12, 106)).isEqualTo(new Position(10, 5, 100));
    assertThat(checkpoint.applied(8, 20, 108)).isEqualTo(new Position(10, 5, 100));
    assertThat(checkpoint.applied(5, 10, 105)).isEqualTo(new Position(13, 7, 106));
    assertThat(checkpoint.applied(7, 19, 107)).isEqualTo(new Position(21, 9, 108));
    assertThat(checkpoint.applied(7, 19, 107)).isEqualTo(new Position(21, 9, 108));
  }

  @Test
  void skipsRecordsWithoutAnOperation() {
    AppliedCheckpoint checkpoint = new AppliedCheckpoint(10, 3, 100);

    checkpoint.skipTo(10, 3, 101);
    checkpoint.skipTo(12, 3, 102);

    assertThat(checkpoint.position()).isEqualTo(new Position(12, 3, 102));
    assertThatIllegalArgumentException().isThrownBy(() -> checkpoint.skipTo(11, 3, 103));
    assertThatIllegalArgumentException().isThrownBy(() -> checkpoint.skipTo(13, 4, 103));
    assertThatIllegalArgumentException().isThrownBy(() -> checkpoint.skipTo(13, 2, 103));
    assertThat(checkpoint.position()).isEqualTo(new Position(12, 3, 102));
  }

  @Test
  void refusesToBeginBeforeTheLog() {
    assertThat(new AppliedCheckpoint(0, 0, -1).position()).isEqualTo(new Position(0, 0, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> new AppliedCheckpoint(-1, 0, -1));
    assertThatIllegalArgumentException().isThrownBy(() -> new AppliedCheckpoint(0, -1, -1));
  }

  @Test
  void reachesTheEndInWhateverOrderLanesFinish() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      int count = 1 + random.nextInt(5_000);
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        order.add(i);
      }
      Collections.shuffle(order, random);
      AppliedCheckpoint checkpoint = new AppliedCheckpoint(100, 7, 0);
      boolean[] seen = new boolean[count];
      int contiguous = 0;
      for (int next : order) {
        Position position = checkpoint.applied(7L + next, 100L + 2L * next, 50L + next);
        seen[next] = true;
        while (contiguous < count && seen[contiguous]) {
          contiguous++;
        }
        assertThat(position.nextSeqNo()).as("seed %d", seed).isEqualTo(7L + contiguous);
      }
      assertThat(checkpoint.position())
          .as("seed %d", seed)
          .isEqualTo(new Position(100L + 2L * (count - 1) + 1, 7L + count, 50L + count - 1));
    }
  }
}
