package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.ShardReplication.Contradiction;
import io.varve.shard.replicated.LogEvidence.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContradictionsTest {

  private static final Member ONE = new Member("one", "run1");
  private static final Version DOCUMENT = Version.of("d", 7, 2);

  private Verdict evidence = Verdict.CONFIRMS;
  private boolean unreachable;
  private final Map<Version, Verdict> other = new HashMap<>();
  private final List<String> done = new ArrayList<>();

  private final Contradictions contradictions =
      new Contradictions(
          new Contradictions.Shard() {
            @Override
            public List<Verdict> evidence(List<Disputed> disputed) {
              done.add("log " + disputed.stream().map(one -> one.version().seqNo()).toList());
              return disputed.stream()
                  .map(one -> other.getOrDefault(one.version(), evidence))
                  .toList();
            }

            @Override
            public void rebuild(Member copy, String reason) throws IOException {
              if (unreachable) {
                throw new IOException("on purpose");
              }
              done.add("rebuild " + copy.copyId());
            }

            @Override
            public void rebuildPrimary(String reason) {
              done.add("rebuild the primary");
            }
          });

  private void met(Version... versions) {
    contradictions.met(Stream.of(versions).map(Disputed::of).toList(), ONE);
  }

  private List<String> states() {
    return contradictions.list().stream().map(Contradiction::state).toList();
  }

  @Test
  void aCopyThatContradictsTheLogIsToldOnceToBeginAgain() {
    met(DOCUMENT);
    met(DOCUMENT);
    met(Version.of("e", 8, 2));
    assertThat(done).containsExactly("log [7]", "rebuild one");
    assertThat(states()).containsExactly("copy_rebuilt", "copy_rebuilt");
  }

  @Test
  void aPrimaryThatContradictsTheLogBeginsAgain() {
    evidence = Verdict.DENIES;
    met(DOCUMENT);
    assertThat(done).containsExactly("log [7]", "rebuild the primary");
    assertThat(contradictions.list())
        .containsExactly(new Contradiction("d", 7, 2, "one", "primary_rebuilt"));
  }

  @Test
  void withoutTheRecordInTheLogNoCopyIsRebuilt() {
    evidence = Verdict.SILENT;
    met(DOCUMENT);
    met(DOCUMENT);
    assertThat(done).containsExactly("log [7]");
    assertThat(states()).containsExactly("undecided");
  }

  @Test
  void aCopyThatDoesNotAnswerIsToldWhenItContradictsAgain() {
    unreachable = true;
    met(DOCUMENT);
    assertThat(states()).containsExactly("open");
    unreachable = false;
    met(DOCUMENT);
    assertThat(states()).containsExactly("copy_rebuilt");
  }

  @Test
  void manyContradictionsOfACopyAreDecidedByOneReadOfTheLog() {
    Version denied = Version.of("e", 8, 2);
    Version unknown = Version.of("f", 9, 2);
    other.put(denied, Verdict.DENIES);
    other.put(unknown, Verdict.SILENT);

    met(DOCUMENT, denied, unknown);

    assertThat(done).containsExactly("log [7, 8, 9]", "rebuild the primary", "rebuild one");
    assertThat(states()).containsExactly("copy_rebuilt", "primary_rebuilt", "copy_rebuilt");
  }

  @Test
  void aCopyThatIsNotToldLeavesOthersDecided() {
    Version unknown = Version.of("f", 9, 2);
    other.put(unknown, Verdict.SILENT);
    unreachable = true;
    met(unknown, DOCUMENT);
    assertThat(states()).containsExactly("undecided", "open");
  }

  @Test
  void theOldestAreForgotten() {
    evidence = Verdict.SILENT;
    for (int seqNo = 0; seqNo <= Contradictions.KEPT; seqNo++) {
      met(Version.of("d", seqNo, 2));
    }
    assertThat(contradictions.list()).hasSize(Contradictions.KEPT);
    assertThat(contradictions.list().getFirst().seqNo()).isEqualTo(1);
  }
}
