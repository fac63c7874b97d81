package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.ShardReplication.Contradiction;
import io.varve.shard.replicated.LogEvidence.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContradictionsTest {

  private static final Member ONE = new Member("one", "run1");
  private static final Version DOCUMENT = Version.of("d", 7, 2);

  private Verdict evidence = Verdict.CONFIRMS;
  private boolean unreachable;
  private final List<String> done = new ArrayList<>();

  private final Contradictions contradictions =
      new Contradictions(
          new Contradictions.Shard() {
            @Override
            public Verdict evidence(Version version) {
              done.add("log " + version.seqNo());
              return evidence;
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

  private List<String> states() {
    return contradictions.list().stream().map(Contradiction::state).toList();
  }

  @Test
  void aCopyThatContradictsTheLogIsToldOnceToBeginAgain() {
    contradictions.met(DOCUMENT, ONE);
    contradictions.met(DOCUMENT, ONE);
    contradictions.met(Version.of("e", 8, 2), ONE);
    assertThat(done).containsExactly("log 7", "rebuild one");
    assertThat(states()).containsExactly("copy_rebuilt", "copy_rebuilt");
  }

  @Test
  void aPrimaryThatContradictsTheLogBeginsAgain() {
    evidence = Verdict.DENIES;
    contradictions.met(DOCUMENT, ONE);
    assertThat(done).containsExactly("log 7", "rebuild the primary");
    assertThat(contradictions.list())
        .containsExactly(new Contradiction("d", 7, 2, "one", "primary_rebuilt"));
  }

  @Test
  void withoutTheRecordInTheLogNoCopyIsRebuilt() {
    evidence = Verdict.SILENT;
    contradictions.met(DOCUMENT, ONE);
    contradictions.met(DOCUMENT, ONE);
    assertThat(done).containsExactly("log 7");
    assertThat(states()).containsExactly("undecided");
  }

  @Test
  void aCopyThatDoesNotAnswerIsToldWhenItContradictsAgain() {
    unreachable = true;
    contradictions.met(DOCUMENT, ONE);
    assertThat(states()).containsExactly("open");
    unreachable = false;
    contradictions.met(DOCUMENT, ONE);
    assertThat(states()).containsExactly("copy_rebuilt");
  }

  @Test
  void theOldestAreForgotten() {
    evidence = Verdict.SILENT;
    for (int seqNo = 0; seqNo <= Contradictions.KEPT; seqNo++) {
      contradictions.met(Version.of("d", seqNo, 2), ONE);
    }
    assertThat(contradictions.list()).hasSize(Contradictions.KEPT);
    assertThat(contradictions.list().getFirst().seqNo()).isEqualTo(1);
  }
}
