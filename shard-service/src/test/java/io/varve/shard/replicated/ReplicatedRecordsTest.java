package io.varve.shard.replicated;

import static io.varve.shard.replicated.RecordsOfAPrimary.BY_ID;
import static io.varve.shard.replicated.RecordsOfAPrimary.LIMITS;
import static io.varve.shard.replicated.RecordsOfAPrimary.ONE;
import static io.varve.shard.replicated.RecordsOfAPrimary.TERM;
import static io.varve.shard.replicated.RecordsOfAPrimary.TWO;
import static io.varve.shard.replicated.RecordsOfAPrimary.ask;
import static io.varve.shard.replicated.RecordsOfAPrimary.at;
import static io.varve.shard.replicated.RecordsOfAPrimary.opening;
import static io.varve.shard.replicated.RecordsOfAPrimary.records;
import static io.varve.shard.replicated.RecordsOfAPrimary.says;
import static io.varve.shard.replicated.RecordsOfAPrimary.unreplicated;
import static io.varve.shard.replicated.RecordsOfAPrimary.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.HoldsWire.Answer;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import io.varve.shard.replicated.Confirmation.Outcome;
import io.varve.shard.replicated.ReplicatedRecords.Step;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicatedRecordsTest {

  @ParameterizedTest(name = "seq_no {0}, the copies are at {1} and {2}, appeals {3}: state {4}")
  @CsvSource({
    "10,  -1,  -1, true,  3",
    "10,  10,   9, true,  3",
    "10,  10,  10, true,  0",
    "10, 149, 149, false, 3",
    "100, -1,  -1, true,  1",
    "100, -1,  -1, false, 1",
    "100, 100, 99, true,  1",
    "100, 100, 100, false, 0",
    "149, 200, 200, true, 0",
    "150, 200, 200, true, 1",
  })
  void membersProveWhatTheyAllHold(
      long seqNo, long one, long two, boolean appeals, int expectedCode) {
    ReplicatedRecords records = records(appeals ? LIMITS : BY_ID, ONE, TWO);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, one));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, two));
    assertThat(records.state(at(seqNo)).code()).isEqualTo(expectedCode);
  }

  @Test
  void aRecordIsReplicatedWhenTheLastCopySaysThatItHoldsIt() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    Confirmation asked = ask(records, at(10));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.RE_REPLICATING);
    records.answered(opening(records, ONE), List.of(at(10)), says(ONE, Verdict.HOLDS));
    assertThat(asked.outcome()).isNotDone();
    records.answered(opening(records, TWO), List.of(at(10)), says(TWO, Verdict.HOLDS));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.state(at(9))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.confirm(at(10), 0)).isInstanceOf(Step.Replicated.class);
  }

  @Test
  void allWhoReadARecordShareOneQuestion() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation first = ask(records, at(10));
    assertThat(ask(records, at(10))).isSameAs(first);
    assertThat(records.toAsk(opening(records, ONE), 10)).containsExactly(at(10));
    assertThat(records.toAsk(opening(records, ONE), 10)).isEmpty();
  }

  @Test
  void tooManyWaitersAndTooManyRecordsAreRefused() {
    ReplicatedRecords records = records(BY_ID, ONE);
    for (int i = 0; i < 3; i++) {
      assertThat(records.confirm(at(10), 0)).isInstanceOf(Step.Asking.class);
    }
    assertThat(records.confirm(at(10), 0)).isInstanceOf(Step.Refused.class);
    for (long other = 11; other < 14; other++) {
      assertThat(records.confirm(at(other), 0)).isInstanceOf(Step.Asking.class);
    }
    assertThat(records.confirm(at(14), 0)).isInstanceOf(Step.Refused.class);
  }

  @Test
  void outOfTimeARecordIsUnreplicatedAgainThoughThisPrimaryWroteIt() {
    ReplicatedRecords records = records(LIMITS, ONE);
    Confirmation asked = ask(records, at(120));
    records.expire(999);
    assertThat(asked.outcome()).isNotDone();
    records.expire(1_000);
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.OutOfTime());
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.state(at(121))).isEqualTo(ReplicationState.REPLICATING);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 130));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void aCopyThatIsBehindIsAskedAgain() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation asked = ask(records, at(10));
    assertThat(records.toAsk(opening(records, ONE), 10)).containsExactly(at(10));
    records.answered(opening(records, ONE), List.of(at(10)), says(ONE, Verdict.BEHIND));
    assertThat(asked.outcome()).isNotDone();
    assertThat(records.toAsk(opening(records, ONE), 10)).containsExactly(at(10));
    records.unanswered(opening(records, ONE), List.of(at(10)));
    assertThat(records.toAsk(opening(records, ONE), 10)).containsExactly(at(10));
  }

  @Test
  void comparedCopiesProveAllRecordsUnlessOtherCopiesHaveStarted() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    assertThat(records.compared(Set.of(opening(records, ONE)), 99)).isFalse();
    assertThat(records(BY_ID).compared(Set.of(), 99)).as("too few copies").isFalse();
    assertThat(records.hasUnreplicated()).isTrue();

    assertThat(records.compared(records.openings(), 99)).isTrue();
    assertThat(records.hasUnreplicated()).isFalse();
    assertThat(records.exonerated()).isEqualTo(100);
    assertThat(records.state(at(100))).isEqualTo(ReplicationState.REPLICATING);
  }

  @Test
  void aCopyThatCannotAnswerEndsAllQuestionsAtOnce() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    Confirmation asked = ask(records, at(120));
    records.unable(new Opening(new Member("one", "an earlier run"), 1));
    assertThat(asked.outcome()).isNotDone();

    records.unable(opening(records, ONE));

    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Unable(ONE));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aLaterVersionAndAContradictionEndTheQuestionWithoutProof() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation newer = ask(records, at(10));
    records.answered(opening(records, ONE), List.of(at(10)), says(ONE, Verdict.NEWER));
    assertThat(newer.outcome().join()).isEqualTo(new Outcome.Newer(ONE, false));
    Confirmation other = ask(records, at(11));
    records.answered(opening(records, ONE), List.of(at(11)), says(ONE, Verdict.OTHER));
    assertThat(other.outcome().join()).isEqualTo(new Outcome.Contradicted(ONE));
    assertThat(records.state(at(11))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void anAnswerOfAnotherRunOfTheCopyDoesNotCount() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(
        opening(records, ONE), List.of(), new Answer("one", "run2", TERM, 149, List.of()));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aCopyThatFollowsALaterPrimaryProvesNothing() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(
        opening(records, ONE), List.of(), new Answer("one", "run1", TERM + 1, 149, List.of()));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aCopyThatFollowsALaterPrimaryEndsTheQuestionWhateverItHolds() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation asked = ask(records, at(10));
    records.answered(
        opening(records, ONE),
        List.of(at(10)),
        new Answer("one", "run1", TERM + 1, 149, List.of(Verdict.HOLDS)));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Newer(ONE, true));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aCopyOfAnEarlierTermProvesNothingThatThisPrimaryWrote() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(
        opening(records, ONE), List.of(), new Answer("one", "run1", TERM - 1, 149, List.of()));
    assertThat(records.state(at(99))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.state(at(100))).isEqualTo(ReplicationState.REPLICATING);
    assertThat(records.heldUpTo(opening(records, ONE))).isEqualTo(99);
  }

  @Test
  void aCopyThatStartsLaterShowsNoDocumentThatWasConfirmedToBeAbsent() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Version absent = Version.absent("d", 149);
    Confirmation asked = ask(records, absent);
    records.answered(opening(records, ONE), List.of(absent), says(ONE, Verdict.HOLDS));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
    assertThat(records.admit(TWO)).isEqualTo(149);
  }

  @Test
  void aCopyMustHoldAllOfFormerPrimariesBeforeItStarts() {
    assertThat(records(BY_ID, ONE).admit(TWO)).isEqualTo(99);
  }

  @Test
  void aCopyThatIsNoMemberIsNotAsked() {
    ReplicatedRecords records = records(BY_ID, ONE);
    ask(records, at(10));
    assertThat(records.toAsk(opening(records, TWO), 10)).isEmpty();
  }

  @Test
  void withTooFewCopiesInSyncNothingIsReplicated() {
    ReplicatedRecords records = records(LIMITS);
    Confirmation asked = ask(records, at(120));
    assertThat(asked.outcome()).isNotDone();
    records.limits(new RecordLimits(1, true, 3, 4, 1_000));
    records.applied(149);
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }

  @Test
  void nothingIsReplicatedBeforeTheClusterStateNamesThePrimary() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.members(new Members(false, Set.of(ONE), Set.of(ONE)));
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
    records.members(new Members(true, Set.of(ONE), Set.of(ONE)));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void anAdmittedCopyCountsBeforeTheClusterStateSaysThatItIsStarted() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 110));
    assertThat(records.admit(TWO)).isEqualTo(110);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 130));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATING);
    assertThat(records.state(at(110))).isEqualTo(ReplicationState.REPLICATED);
    records.members(new Members(true, Set.of(ONE), Set.of(ONE, TWO)));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATING);
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 125));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void aCopyAdmittedDuringAQuestionMustAnswerItToo() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation asked = ask(records, at(10));
    records.admit(TWO);
    records.answered(opening(records, ONE), List.of(at(10)), says(ONE, Verdict.HOLDS));
    assertThat(asked.outcome()).isNotDone();
    assertThat(records.toAsk(opening(records, TWO), 10)).containsExactly(at(10));
    records.answered(opening(records, TWO), List.of(at(10)), says(TWO, Verdict.HOLDS));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }

  @Test
  void aCopyThatLeavesIsNotWaitedFor() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    Confirmation asked = ask(records, at(10));
    records.answered(opening(records, ONE), List.of(at(10)), says(ONE, Verdict.HOLDS));
    records.members(new Members(true, Set.of(ONE), Set.of(ONE)));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }

  @Test
  void anAbsentDocumentNeedsTheQuestionOrAllOperations() {
    ReplicatedRecords records = records(LIMITS, ONE);
    Version absent = Version.absent("d", 149);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 148));
    assertThat(records.state(absent)).isNotEqualTo(ReplicationState.REPLICATED);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    assertThat(records.state(absent)).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void whoWaitsForAllCopiesIsToldWhenTheLastHoldsIt() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    var reached = records.heldByAll().reached(140);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 145));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 139));
    assertThat(reached).isNotDone();
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 140));
    assertThat(reached.join()).isTrue();
  }

  @Test
  void membersThatDoNotKeepUpLeaveRecordsUnreplicated() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.lateUpTo(120);
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.state(at(121))).isEqualTo(ReplicationState.REPLICATING);
    assertThat(records.hasUnreplicated()).isTrue();
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 121));
    assertThat(records.hasUnreplicated()).isFalse();
    assertThat(records.exonerated()).isEqualTo(100);
  }

  @Test
  void closingEndsEveryQuestion() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation asked = ask(records, at(10));
    records.close();
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.OutOfTime());
  }

  @Test
  void documentsInStateTwoAndThreeAreUnreplicatedAsOfTheCall() {
    ReplicatedRecords records = records(BY_ID, ONE);
    ask(records, at(120));
    ask(records, Version.absent("x", 130));
    LongPredicate before = unreplicated(records);
    assertThat(LongStream.of(0, 99, 100, 119, 120, 121, 130).filter(before))
        .containsExactly(0L, 99L, 120L);
    records.answered(opening(records, ONE), List.of(at(120)), says(ONE, Verdict.HOLDS));
    ask(records, at(7));
    records.answered(opening(records, ONE), List.of(at(7)), says(ONE, Verdict.HOLDS));
    assertThat(LongStream.of(6, 7, 120).filter(before)).containsExactly(6L, 7L, 120L);
    assertThat(LongStream.of(6, 7, 120).filter(unreplicated(records))).containsExactly(6L);
  }

  @Test
  void anAppealTakesWhatTheCopiesSaidAsTheProofForRecordsOfFormerPrimariesToo() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 60));
    Confirmation asked = ask(records, at(50));
    assertThat(records.state(at(7))).isEqualTo(ReplicationState.UNREPLICATED);
    records.appeal();
    assertThat(records.state(at(60))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.state(at(61))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.exonerated()).isEqualTo(61);
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }
}
