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
  void anOperationFarAheadIsKeptUntilTheHoleIsClosed() {
    for (int ahead : new int[] {1_023, 1_024, 1_025, 2_048, 10_000}) {
      AppliedCheckpoint checkpoint = new AppliedCheckpoint(0, 0, -1);

      assertThat(checkpoint.applied(ahead, ahead, 5)).isEqualTo(new Position(0, 0, -1));
      for (int seqNo = 0; seqNo < ahead - 1; seqNo++) {
        assertThat(checkpoint.applied(seqNo, seqNo, 7))
            .as("%d ahead", ahead)
            .isEqualTo(new Position(seqNo + 1, seqNo + 1, 7));
      }
      assertThat(checkpoint.applied(ahead - 1, ahead - 1, 7))
          .isEqualTo(new Position(ahead + 1, ahead + 1, 5));
    }
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
