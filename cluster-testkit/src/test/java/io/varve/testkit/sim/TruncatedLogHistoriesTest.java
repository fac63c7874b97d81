package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Logs are truncated in histories in which copies go away, lose their disks and are rebuilt. */
class TruncatedLogHistoriesTest {

  private static final long HISTORIES = 300;

  @Test
  void copiesAreRebuiltFromOthersWhenTheLogNoLongerReachesBackToThem() {
    List<Simulation.Outcome> outcomes =
        LongStream.rangeClosed(1, HISTORIES).parallel().mapToObj(Simulation::run).toList();

    assertThat(histories(outcomes, "is truncated")).isGreaterThan(50);
    assertThat(histories(outcomes, "lose the disk")).isGreaterThan(20);
    assertThat(histories(outcomes, "PrimaryActor", "is rebuilt")).isGreaterThan(2);
    assertThat(histories(outcomes, "DocumentReplicaActor", "is rebuilt")).isGreaterThan(5);
  }

  private static long histories(List<Simulation.Outcome> outcomes, String... words) {
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
