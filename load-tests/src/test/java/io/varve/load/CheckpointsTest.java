package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointsTest {

  private static final String REPLICA =
      "{\"routing\":{\"primary\":false},\"seq_no\":{\"local_checkpoint\":1000}}";

  private static String primary(int checkpoint) {
    return REPLICA.replace("false", "true").replace("1000", Integer.toString(checkpoint));
  }

  @ParameterizedTest
  @CsvSource({"-1,-1,0", "0,-1,1", "9,-1,10", "9,4,15"})
  void onlyPrimariesCountAndTheFirstOperationHasTheNumberZero(int one, int other, long held) {
    String stats =
        "{\"indices\":{\"bench\":{\"shards\":{\"0\":[%s,%s],\"1\":[%s,%s]}},\"more\":{\"shards\":{\"0\":[%s]}}}}"
            .formatted(primary(one), REPLICA, REPLICA, primary(other), primary(77));

    assertThat(Checkpoints.operations(MeasuredServer.JSON.readTree(stats), "bench", 2))
        .hasValue(held);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}",
        "{\"indices\":{\"bench\":{\"shards\":{\"0\":[]}}}}",
        "{\"indices\":{\"bench\":{\"shards\":{\"0\":[{\"routing\":{\"primary\":true},\"seq_no\":{\"local_checkpoint\":3}}]}}}}"
      })
  void anAnswerThatLacksAPrimaryTellsNothing(String stats) {
    assertThat(Checkpoints.operations(MeasuredServer.JSON.readTree(stats), "bench", 2)).isEmpty();
  }
}
