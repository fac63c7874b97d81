package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.HoldsWire.Answer;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import io.varve.shard.replicated.Confirmation.Outcome;
import io.varve.shard.replicated.ReplicatedRecords.Limits;
import io.varve.shard.replicated.ReplicatedRecords.Step;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicatedRecordsTest {

  private static final long TERM = 5;
  private static final Member ONE = new Member("one", "run1");
  private static final Member TWO = new Member("two", "run1");
  private static final Limits LIMITS = new Limits(2, true, 3, 4, 1_000);
  private static final Limits BY_ID = new Limits(2, false, 3, 4, 1_000);

  private static ReplicatedRecords records(Limits limits, Member... members) {
    ReplicatedRecords records = new ReplicatedRecords(TERM, 100, limits);
    records.members(new Members(true, Set.of(members), Set.of(members)));
    records.applied(149);
    return records;
  }

  private static Answer upTo(Member member, long seqNo) {
    return new Answer(member.copyId(), member.incarnation(), TERM, seqNo, List.of());
  }

  private static Answer says(Member member, Verdict verdict) {
    return new Answer(member.copyId(), member.incarnation(), TERM, -1, List.of(verdict));
  }

  private static Version at(long seqNo) {
    return Version.of("d" + seqNo, seqNo, 4);
  }

  private static Confirmation ask(ReplicatedRecords records, Version version) {
    return ((Step.Asking) records.confirm(version, 0)).confirmation();
  }

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
    records.answered(ONE, List.of(), upTo(ONE, one));
    records.answered(TWO, List.of(), upTo(TWO, two));
    assertThat(records.state(at(seqNo)).code()).isEqualTo(expectedCode);
  }

  @Test
  void aRecordIsReplicatedWhenTheLastCopySaysThatItHoldsIt() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    Confirmation asked = ask(records, at(10));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.RE_REPLICATING);
    records.answered(ONE, List.of(at(10)), says(ONE, Verdict.HOLDS));
    assertThat(asked.outcome()).isNotDone();
    records.answered(TWO, List.of(at(10)), says(TWO, Verdict.HOLDS));
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
    assertThat(records.toAsk(ONE, 10)).containsExactly(at(10));
    assertThat(records.toAsk(ONE, 10)).isEmpty();
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
    records.answered(ONE, List.of(), upTo(ONE, 130));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void aCopyThatIsBehindIsAskedAgain() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation asked = ask(records, at(10));
    assertThat(records.toAsk(ONE, 10)).containsExactly(at(10));
    records.answered(ONE, List.of(at(10)), says(ONE, Verdict.BEHIND));
    assertThat(asked.outcome()).isNotDone();
    assertThat(records.toAsk(ONE, 10)).containsExactly(at(10));
    records.unanswered(ONE, List.of(at(10)));
    assertThat(records.toAsk(ONE, 10)).containsExactly(at(10));
  }

  @Test
  void aContradictedRecordStaysUnreplicatedWhateverThatCopyClaims() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    Confirmation asked = ask(records, at(120));
    records.answered(TWO, List.of(), upTo(TWO, 149));
    records.answered(ONE, List.of(at(120)), says(ONE, Verdict.OTHER));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Contradicted(ONE));

    records.answered(ONE, List.of(), upTo(ONE, 149));

    assertThat(records.state(at(120))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.state(at(121))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(119);
    assertThat(records.hasUnreplicated()).isTrue();
    assertThat(records.unreplicated().test(120)).isTrue();
    assertThat(records.state(Version.absent("x", 149)))
        .as("the missing record may be its delete")
        .isEqualTo(ReplicationState.REPLICATING);
  }

  @Test
  void comparedCopiesProveAllRecordsUnlessOtherCopiesHaveStarted() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    assertThat(records.compared(Set.of(ONE), 99)).isFalse();
    assertThat(records.hasUnreplicated()).isTrue();

    assertThat(records.compared(Set.of(ONE, TWO), 99)).isTrue();
    assertThat(records.hasUnreplicated()).isFalse();
    assertThat(records.exonerated()).isEqualTo(100);
    assertThat(records.state(at(100))).isEqualTo(ReplicationState.REPLICATING);
  }

  @Test
  void aContradictionEndsWhenTheCopyHoldsTheRecordOrIsRebuilt() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    for (long seqNo : new long[] {120, 130}) {
      ask(records, at(seqNo));
      records.answered(ONE, List.of(at(seqNo)), says(ONE, Verdict.OTHER));
    }
    records.answered(ONE, List.of(), upTo(ONE, 149));
    records.answered(TWO, List.of(), upTo(TWO, 149));
    ask(records, at(120));
    records.answered(ONE, List.of(at(120)), says(ONE, Verdict.HOLDS));
    records.answered(TWO, List.of(at(120)), says(TWO, Verdict.HOLDS));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(129);

    records.members(new Members(true, Set.of(TWO), Set.of(TWO)));

    assertThat(records.state(at(130))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(149);
  }

  @Test
  void aComparisonTakesBackWhatACopySaidUntilAllCopiesThatContradictItAreReplaced() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    records.answered(ONE, List.of(), upTo(ONE, 149));
    records.answered(TWO, List.of(), upTo(TWO, 149));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.REPLICATED);

    records.contradicted(at(10), ONE);
    records.contradicted(at(10), TWO);

    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.unreplicated().test(10)).isTrue();
    Member rebuilt = new Member("three", "run1");
    records.members(new Members(true, Set.of(ONE, rebuilt), Set.of(ONE, rebuilt)));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
    records.members(new Members(true, Set.of(rebuilt), Set.of(rebuilt)));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.REPLICATED);
    records.contradicted(at(10), ONE);
    assertThat(records.state(at(10)))
        .as("that copy is no member")
        .isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void aDocumentThatOnlyACopyHasIsNotKnownToBeAbsent() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(ONE, List.of(), upTo(ONE, 149));
    Version absent = Version.absent("stray", 149);
    assertThat(records.state(absent)).isEqualTo(ReplicationState.REPLICATED);

    records.contradicted(absent, ONE);

    assertThat(records.state(absent)).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.hasUnreplicated()).isTrue();
    assertThat(records.state(Version.absent("other", 149))).isEqualTo(ReplicationState.REPLICATED);
    Confirmation asked = ask(records, absent);
    records.answered(ONE, List.of(absent), says(ONE, Verdict.HOLDS));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
    assertThat(records.state(absent)).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void ofManyDocumentsThatOnlyACopyHasNoneIsForgotten() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(ONE, List.of(), upTo(ONE, 149));
    for (int i = 0; i <= ContradictedRecords.MOST_ABSENT; i++) {
      records.contradicted(Version.absent("stray" + i, 149), ONE);
    }
    assertThat(records.state(Version.absent("stray" + ContradictedRecords.MOST_ABSENT, 149)))
        .isEqualTo(ReplicationState.UNREPLICATED);
    records.members(new Members(true, Set.of(TWO), Set.of(TWO)));
    records.answered(TWO, List.of(), upTo(TWO, 149));
    assertThat(records.state(Version.absent("stray1", 149))).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void aCopyThatCannotAnswerEndsAllQuestionsAtOnce() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    Confirmation asked = ask(records, at(120));
    records.unable(new Member("one", "an earlier run"));
    assertThat(asked.outcome()).isNotDone();

    records.unable(ONE);

    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Unable(ONE));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aLaterVersionAndAContradictionEndTheQuestionWithoutProof() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation newer = ask(records, at(10));
    records.answered(ONE, List.of(at(10)), says(ONE, Verdict.NEWER));
    assertThat(newer.outcome().join()).isEqualTo(new Outcome.Newer(ONE, false));
    Confirmation other = ask(records, at(11));
    records.answered(ONE, List.of(at(11)), says(ONE, Verdict.OTHER));
    assertThat(other.outcome().join()).isEqualTo(new Outcome.Contradicted(ONE));
    assertThat(records.state(at(11))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void anAnswerOfAnotherRunOfTheCopyDoesNotCount() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(ONE, List.of(), new Answer("one", "run2", TERM, 149, List.of()));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aCopyThatFollowsALaterPrimaryProvesNothing() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(ONE, List.of(), new Answer("one", "run1", TERM + 1, 149, List.of()));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aCopyThatFollowsALaterPrimaryEndsTheQuestionWhateverItHolds() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation asked = ask(records, at(10));
    records.answered(
        ONE, List.of(at(10)), new Answer("one", "run1", TERM + 1, 149, List.of(Verdict.HOLDS)));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Newer(ONE, true));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aCopyOfAnEarlierTermProvesNothingThatThisPrimaryWrote() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(ONE, List.of(), new Answer("one", "run1", TERM - 1, 149, List.of()));
    assertThat(records.state(at(99))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.state(at(100))).isEqualTo(ReplicationState.REPLICATING);
    assertThat(records.heldUpTo(ONE)).isEqualTo(99);
  }

  @Test
  void aCopyThatStartsLaterShowsNoDocumentThatWasConfirmedToBeAbsent() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Version absent = Version.absent("d", 149);
    Confirmation asked = ask(records, absent);
    records.answered(ONE, List.of(absent), says(ONE, Verdict.HOLDS));
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
    assertThat(records.toAsk(TWO, 10)).isEmpty();
  }

  @Test
  void withTooFewCopiesInSyncNothingIsReplicated() {
    ReplicatedRecords records = records(LIMITS);
    Confirmation asked = ask(records, at(120));
    assertThat(asked.outcome()).isNotDone();
    records.limits(new Limits(1, true, 3, 4, 1_000));
    records.applied(149);
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }

  @Test
  void nothingIsReplicatedBeforeTheClusterStateNamesThePrimary() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.members(new Members(false, Set.of(ONE), Set.of(ONE)));
    records.answered(ONE, List.of(), upTo(ONE, 149));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
    records.members(new Members(true, Set.of(ONE), Set.of(ONE)));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void anAdmittedCopyCountsBeforeTheClusterStateSaysThatItIsStarted() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(ONE, List.of(), upTo(ONE, 110));
    assertThat(records.admit(TWO)).isEqualTo(110);
    records.answered(ONE, List.of(), upTo(ONE, 130));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATING);
    assertThat(records.state(at(110))).isEqualTo(ReplicationState.REPLICATED);
    records.members(new Members(true, Set.of(ONE), Set.of(ONE, TWO)));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATING);
    records.answered(TWO, List.of(), upTo(TWO, 125));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void aCopyAdmittedDuringAQuestionMustAnswerItToo() {
    ReplicatedRecords records = records(BY_ID, ONE);
    Confirmation asked = ask(records, at(10));
    records.admit(TWO);
    records.answered(ONE, List.of(at(10)), says(ONE, Verdict.HOLDS));
    assertThat(asked.outcome()).isNotDone();
    assertThat(records.toAsk(TWO, 10)).containsExactly(at(10));
    records.answered(TWO, List.of(at(10)), says(TWO, Verdict.HOLDS));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }

  @Test
  void aCopyThatLeavesIsNotWaitedFor() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    Confirmation asked = ask(records, at(10));
    records.answered(ONE, List.of(at(10)), says(ONE, Verdict.HOLDS));
    records.members(new Members(true, Set.of(ONE), Set.of(ONE)));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }

  @Test
  void anAbsentDocumentNeedsTheQuestionOrAllOperations() {
    ReplicatedRecords records = records(LIMITS, ONE);
    Version absent = Version.absent("d", 149);
    records.answered(ONE, List.of(), upTo(ONE, 148));
    assertThat(records.state(absent)).isNotEqualTo(ReplicationState.REPLICATED);
    records.answered(ONE, List.of(), upTo(ONE, 149));
    assertThat(records.state(absent)).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void whoWaitsForAllCopiesIsToldWhenTheLastHoldsIt() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    var reached = records.heldByAll().reached(140);
    records.answered(ONE, List.of(), upTo(ONE, 145));
    records.answered(TWO, List.of(), upTo(TWO, 139));
    assertThat(reached).isNotDone();
    records.answered(TWO, List.of(), upTo(TWO, 140));
    assertThat(reached.join()).isTrue();
  }

  @Test
  void membersThatDoNotKeepUpLeaveRecordsUnreplicated() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.lateUpTo(120);
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.state(at(121))).isEqualTo(ReplicationState.REPLICATING);
    assertThat(records.hasUnreplicated()).isTrue();
    records.answered(ONE, List.of(), upTo(ONE, 121));
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
    LongPredicate before = records.unreplicated();
    assertThat(LongStream.of(0, 99, 100, 119, 120, 121, 130).filter(before))
        .containsExactly(0L, 99L, 120L);
    records.answered(ONE, List.of(at(120)), says(ONE, Verdict.HOLDS));
    ask(records, at(7));
    records.answered(ONE, List.of(at(7)), says(ONE, Verdict.HOLDS));
    assertThat(LongStream.of(6, 7, 120).filter(before)).containsExactly(6L, 7L, 120L);
    assertThat(LongStream.of(6, 7, 120).filter(records.unreplicated())).containsExactly(6L);
  }

  @Test
  void anAppealTakesWhatTheCopiesSaidAsTheProofForRecordsOfFormerPrimariesToo() {
    ReplicatedRecords records = records(BY_ID, ONE, TWO);
    records.answered(ONE, List.of(), upTo(ONE, 149));
    records.answered(TWO, List.of(), upTo(TWO, 60));
    Confirmation asked = ask(records, at(50));
    assertThat(records.state(at(7))).isEqualTo(ReplicationState.UNREPLICATED);
    records.appeal();
    assertThat(records.state(at(60))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.state(at(61))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.exonerated()).isEqualTo(61);
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
  }
}
