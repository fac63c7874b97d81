package io.varve.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.varve.search.Slice.Share;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SliceTest {

  @Test
  void wholeShardsAreAssignedRoundRobin() {
    List<Integer> mine = new ArrayList<>();
    for (int shard = 0; shard < 7; shard++) {
      if (new Slice(null, 0, 3).of(shard, 7) instanceof Share.Everything) {
        mine.add(shard);
      }
    }
    assertThat(mine).containsExactly(0, 3, 6);
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "2, 5", "5, 2", "7, 3", "3, 3", "10, 4"})
  void everyShardIsCoveredOnce(int max, int shards) {
    for (int shard = 0; shard < shards; shard++) {
      double covered = 0;
      for (int id = 0; id < max; id++) {
        covered +=
            switch (new Slice(null, id, max).of(shard, shards)) {
              case Share.Nothing _ -> 0;
              case Share.Everything _ -> 1;
              case Share.Part part -> 1.0 / part.max();
            };
      }
      assertThat(covered).as("shard %d of %d", shard, shards).isCloseTo(1.0, within(1e-9));
    }
  }
}
