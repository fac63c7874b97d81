package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.ShardId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RereplicationsTest {

  private static final ShardId SHARD = new ShardId("uuid", 0);

  private long nowMillis = 1_000_000;
  private final Rereplications node = new Rereplications(() -> Instant.ofEpochMilli(nowMillis));

  private void ended(Confirmation.Outcome outcome, long millis) {
    node.of(SHARD).ended(outcome, millis * 1_000_000);
  }

  private List<String> linesAfter(long millis) {
    nowMillis += millis;
    return node.endInterval(uuid -> "books");
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> histogram() {
    return (Map<String, Object>) node.section(uuid -> "books").get("books-re-repl");
  }

  @ParameterizedTest(name = "{0} µs: bucket {1}")
  @CsvSource({
    "0, 0",
    "999, 0",
    "1000, 1",
    "1999, 1",
    "2000, 2",
    "4000, 3",
    "8000, 4",
    "63999, 6",
    "64000, 7",
    "100000, 7",
    "86400000000, 25",
    "-5, 0",
  })
  void bucketsArePowersOfTwoMilliseconds(long micros, int bucket) {
    assertThat(DurationHistogram.bucket(micros * 1_000)).isEqualTo(bucket);
  }

  @Test
  void theLineShowsHowTheQuestionsEndedAndIsLeftOutWhileAllNumbersAreZero() {
    node.of(SHARD);
    assertThat(linesAfter(10_000)).isEmpty();
    ended(new Confirmation.Outcome.Replicated(), 1);
    ended(new Confirmation.Outcome.Replicated(), 1);
    ended(new Confirmation.Outcome.Contradicted(new Member("r", "run")), 1);
    ended(new Confirmation.Outcome.OutOfTime(), 5_000);
    ended(new Confirmation.Outcome.Unable(new Member("r", "run")), 1);
    ended(new Confirmation.Outcome.Newer(new Member("r", "run"), false), 1);
    assertThat(linesAfter(10_000))
        .containsExactly("{books} re-repl: all-triggers (2,1,2) unreplicated-records 0");
    assertThat(Rereplications.line("books", RereplicationCounts.NONE, 7))
        .contains("{books} re-repl: all-triggers (0,0,0) unreplicated-records 7");
  }

  @Test
  void theHistogramShowsTheSharesOfSlowQuestionsAndTheRateOfTheLastInterval() {
    for (long millis : List.of(0L, 5L, 5L, 100L)) {
      ended(new Confirmation.Outcome.Replicated(), millis);
    }
    assertThat(linesAfter(20_000)).hasSize(1);
    ended(new Confirmation.Outcome.Replicated(), 100);
    assertThat(histogram())
        .containsEntry("total", 5L)
        .containsEntry(">1ms", 80.0)
        .containsEntry(">8ms", 40.0)
        .containsEntry(">64ms", 40.0)
        .containsEntry("buckets", Map.of("00", 1L, "03", 2L, "07", 2L));
    assertThat(histogram().get("last_interval"))
        .isEqualTo(
            Map.of(
                "total",
                4L,
                ">1ms",
                75.0,
                ">8ms",
                25.0,
                ">64ms",
                25.0,
                "millis",
                20_000L,
                "ops_per_sec",
                0.2));
    assertThat(linesAfter(10_000)).hasSize(1);
    assertThat(linesAfter(10_000)).hasSize(1);
    assertThat(histogram().get("last_interval"))
        .isEqualTo(
            Map.of(
                "total",
                0L,
                ">1ms",
                0.0,
                ">8ms",
                0.0,
                ">64ms",
                0.0,
                "millis",
                10_000L,
                "ops_per_sec",
                0.0));
  }

  @Test
  void gaugesShowTheShardsAsOfTheEndOfTheLastInterval() {
    ended(new Confirmation.Outcome.Replicated(), 1);
    assertThat(node.rows()).isEmpty();
    assertThat(linesAfter(10_000)).hasSize(1);
    assertThat(node.rows())
        .singleElement()
        .satisfies(row -> {
          assertThat(row.shard()).isEqualTo(SHARD);
          assertThat(row.counts().success()).isEqualTo(1);
          assertThat(row.unreplicatedRecords()).isZero();
        });
  }

  @Test
  void contradictionsOfWhichNoCopyIsRebuiltAreCountedApart() {
    Rereplications.Row row =
        new Rereplications.Row(
            SHARD,
            RereplicationCounts.NONE,
            0,
            0,
            Map.of("copy_rebuilt", 20L, "primary_rebuilt", 10L, "open", 1L, "undecided", 3L));
    assertThat(row.decidedContradictions()).isEqualTo(30);
    assertThat(row.undecidedContradictions()).isEqualTo(4);
  }

  @Test
  void aShardIsOfOneJobUntilThatEndsOrIsSilent() {
    ShardRereplication shard = node.of(SHARD);
    assertThat(shard.claim("one", 0)).isTrue();
    assertThat(shard.claim("two", 1)).isFalse();
    assertThat(shard.claim("one", 5)).isTrue();
    shard.release("two");
    assertThat(shard.claim("two", ShardRereplication.CLAIM_MILLIS + 4)).isFalse();
    assertThat(shard.claim("two", ShardRereplication.CLAIM_MILLIS + 5)).isTrue();
    shard.release("two");
    assertThat(shard.claim("three", ShardRereplication.CLAIM_MILLIS + 6)).isTrue();
  }

  @Test
  void aJobSleepsUntilTheLimitOfTheNodeAllowsItsRecords() throws Exception {
    long[] now = {0};
    List<Long> slept = new ArrayList<>();
    Rereplications limited =
        new Rereplications(
            () -> Instant.EPOCH,
            () -> now[0],
            nanos -> {
              slept.add(nanos);
              now[0] += nanos / 2 + 1;
            });
    assertThat(limited.throttle(1_000, 1_000)).isZero();
    assertThat(slept).isEmpty();
    assertThat(limited.throttle(1, 1_000)).isEqualTo(1_000_000_000);
    assertThat(now[0]).as("though it wakes up early").isGreaterThanOrEqualTo(1_000_000_000);
    assertThat(slept.getFirst()).isEqualTo(1_000_000_000);
  }
}
