package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.HoldsWire.Answer;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.ShardReplication.Contradiction;
import io.varve.shard.replicated.LogEvidence.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a comparison does with records that a copy has otherwise, though its word proved them. */
class CopyVerificationTest {

  private static final Member REPLICA = new Member("r", "run");
  private static final Version DIFFERS = Version.of("d", 3, 1);
  private static final Version STRAY = Version.absent("stray", 9);

  private final ReplicatedRecords records =
      new ReplicatedRecords(2, 10, new RecordLimits(2, true, 3, 4, 1_000));
  private final List<String> rebuilt = new ArrayList<>();
  private Verdict verdict = Verdict.CONFIRMS;
  private final Contradictions contradictions =
      new Contradictions(
          new Contradictions.Shard() {
            @Override
            public List<Verdict> evidence(List<Disputed> disputed) {
              assertThat(records.state(DIFFERS)).isEqualTo(ReplicationState.UNREPLICATED);
              return Collections.nCopies(disputed.size(), verdict);
            }

            @Override
            public void rebuild(Member copy, String reason) {
              rebuilt.add(copy.copyId());
            }

            @Override
            public void rebuildPrimary(String reason) {
              rebuilt.add("primary");
            }
          });

  @BeforeEach
  void proveAll() {
    records.members(new Members(true, Set.of(REPLICA), Set.of(REPLICA)));
    records.applied(9);
    records.answered(
        RecordsOfAPrimary.opening(records, REPLICA),
        List.of(),
        new Answer("r", "run", 2, 9, List.of()));
    assertThat(records.hasUnreplicated()).isFalse();
  }

  private void differ() {
    CopyVerification.decide(
        records, contradictions, REPLICA, List.of(Disputed.of(DIFFERS), new Disputed(STRAY, 9)));
  }

  private List<String> states() {
    return contradictions.list().stream().map(Contradiction::state).toList();
  }

  @Test
  void whatTheLogConfirmsIsUnreplicatedUntilTheCopyIsReplaced() {
    differ();

    assertThat(rebuilt).containsExactly("r");
    assertThat(states()).containsExactly("copy_rebuilt", "copy_rebuilt");
    assertThat(records.state(DIFFERS)).isEqualTo(ReplicationState.UNREPLICATED);
    Member next = new Member("next", "run");
    records.members(new Members(true, Set.of(next), Set.of(next)));
    records.answered(
        RecordsOfAPrimary.opening(records, next),
        List.of(),
        new Answer("next", "run", 2, 9, List.of()));
    assertThat(records.hasUnreplicated()).isFalse();
  }

  @Test
  void whatTheLogDoesNotHaveStaysUnreplicatedAndListed() {
    verdict = Verdict.SILENT;
    differ();

    assertThat(rebuilt).isEmpty();
    assertThat(states()).containsExactly("undecided", "undecided");
    assertThat(contradictions.list()).extracting(Contradiction::id).containsExactly("d", "stray");
    records.appeal();
    assertThat(records.state(DIFFERS)).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.state(STRAY)).isEqualTo(ReplicationState.UNREPLICATED);
    LongPredicate unreplicated = new UnreplicatedDocuments(records, _ -> null).now();
    assertThat(unreplicated.test(3)).isTrue();
    assertThat(unreplicated.test(4)).isFalse();
  }
}
