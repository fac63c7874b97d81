package io.varve.shard.replicated;

import static io.varve.shard.replicated.RecordsOfAPrimary.BY_ID;
import static io.varve.shard.replicated.RecordsOfAPrimary.LIMITS;
import static io.varve.shard.replicated.RecordsOfAPrimary.ONE;
import static io.varve.shard.replicated.RecordsOfAPrimary.TWO;
import static io.varve.shard.replicated.RecordsOfAPrimary.ask;
import static io.varve.shard.replicated.RecordsOfAPrimary.at;
import static io.varve.shard.replicated.RecordsOfAPrimary.opening;
import static io.varve.shard.replicated.RecordsOfAPrimary.records;
import static io.varve.shard.replicated.RecordsOfAPrimary.says;
import static io.varve.shard.replicated.RecordsOfAPrimary.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.HoldsWire.Verdict;
import io.varve.shard.replicated.Confirmation.Outcome;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A copy is opened again in the same process, under the same id, and asks to be admitted again. */
class ReopenedCopyTest {

  @Test
  void whatItReportedBeforeProvesNothing() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));

    assertThat(records.admit(ONE)).isEqualTo(99);
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 149));

    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATING);
    assertThat(records.replicatedUpTo()).isEqualTo(-1);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 119));
    assertThat(records.replicatedUpTo()).isEqualTo(119);
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATING);
  }

  @Test
  void theAnswerToAQuestionOfBeforeDoesNotCount() {
    ReplicatedRecords records = records(LIMITS, ONE);
    Opening before = opening(records, ONE);
    records.admit(ONE);

    assertThat(records.answered(before, List.of(), upTo(ONE, 149))).isFalse();

    assertThat(records.heldUpTo(opening(records, ONE))).isEqualTo(-1);
    assertThat(records.replicatedUpTo()).isEqualTo(-1);
  }

  @Test
  void itIsAskedAgainForARecordThatItConfirmedBefore() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    Confirmation asked = ask(records, at(10));
    assertThat(records.toAsk(opening(records, ONE), 10)).containsExactly(at(10));
    records.answered(opening(records, ONE), List.of(at(10)), says(ONE, Verdict.HOLDS));

    records.admit(ONE);
    records.answered(opening(records, TWO), List.of(at(10)), says(TWO, Verdict.HOLDS));

    assertThat(asked.outcome()).isNotDone();
    assertThat(records.toAsk(opening(records, ONE), 10)).containsExactly(at(10));
    records.answered(opening(records, ONE), List.of(at(10)), says(ONE, Verdict.HOLDS));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }

  @Test
  void itIsAskedAgainAtOnceAlthoughAQuestionOfBeforeIsNotAnsweredYet() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation asked = ask(records, at(10));
    Opening before = opening(records, ONE);
    assertThat(records.toAsk(before, 10)).containsExactly(at(10));

    records.admit(ONE);

    assertThat(records.toAsk(opening(records, ONE), 10)).containsExactly(at(10));
    assertThat(records.toAsk(before, 10)).isEmpty();
    assertThat(records.answered(before, List.of(at(10)), says(ONE, Verdict.HOLDS))).isFalse();
    records.unable(before);
    assertThat(asked.outcome()).isNotDone();
    assertThat(records.toAsk(opening(records, ONE), 10)).as("asked already").isEmpty();
  }

  @Test
  void itMustHoldWhatWasReplicatedWithItsEarlierReports() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 130));

    assertThat(records.admit(ONE)).isEqualTo(130);

    assertThat(records.state(at(130))).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void aCopyThatLeftAndReturnedWithItsProcessIsAskedAgain() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    Confirmation asked = ask(records, at(10));
    Opening before = opening(records, ONE);
    records.answered(before, List.of(at(10)), says(ONE, Verdict.HOLDS));
    records.members(new Members(true, Set.of(TWO), Set.of(TWO)));
    records.members(new Members(true, Set.of(ONE, TWO), Set.of(ONE, TWO)));

    assertThat(records.answered(before, List.of(), upTo(ONE, 149))).isFalse();
    records.answered(opening(records, TWO), List.of(at(10)), says(TWO, Verdict.HOLDS));

    assertThat(asked.outcome()).isNotDone();
    assertThat(records.toAsk(opening(records, ONE), 10)).containsExactly(at(10));
  }

  @Test
  void aComparisonThatBeganBeforeProvesNothing() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Set<Opening> compared = records.openings();
    records.admit(ONE);

    assertThat(records.compared(compared, 99)).isFalse();

    assertThat(records.compared(records.openings(), 99)).isTrue();
  }
}
