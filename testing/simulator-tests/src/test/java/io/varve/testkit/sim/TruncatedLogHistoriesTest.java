package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that histories contain faults of each kind, and truncations after which copies are
 * rebuilt.
 */
class TruncatedLogHistoriesTest {

  private static final long HISTORIES = 300;
  private static List<Simulation.Outcome> outcomes;

  @BeforeAll
  static void run() {
    outcomes = LongStream.rangeClosed(1, HISTORIES).parallel().mapToObj(Simulation::run).toList();
  }

  @Test
  void copiesAreRebuiltFromOthersWhenTheLogNoLongerReachesBackToThem() {
    assertThat(histories("is truncated")).isGreaterThan(50);
    assertThat(histories("lose the disk")).isGreaterThan(20);
    assertThat(histories("PrimaryActor", "is rebuilt")).isGreaterThan(2);
    assertThat(histories("DocumentReplicaActor", "is rebuilt")).isGreaterThan(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "goes back from",
        "the store is unavailable",
        "the store loses",
        "is deleted, and created again",
        "the mapping has new fields",
        "the manifests can't be reached",
        "the topics of the cluster are lost"
      })
  void faultsOfEachKindStrike(String note) {
    assertThat(histories(note)).isGreaterThan(15);
  }

  private static long histories(String... words) {
    long found =
        outcomes.stream()
            .filter(outcome ->
                outcome.notes().stream()
                    .anyMatch(note -> List.of(words).stream().allMatch(note::contains)))
            .count();
    System.out.println(found + " histories with " + List.of(words));
    return found;
  }
}
