package io.varve.shard.replicated;

import static io.varve.shard.replicated.RecordsOfAPrimary.LIMITS;
import static io.varve.shard.replicated.RecordsOfAPrimary.ONE;
import static io.varve.shard.replicated.RecordsOfAPrimary.TWO;
import static io.varve.shard.replicated.RecordsOfAPrimary.ask;
import static io.varve.shard.replicated.RecordsOfAPrimary.at;
import static io.varve.shard.replicated.RecordsOfAPrimary.opening;
import static io.varve.shard.replicated.RecordsOfAPrimary.records;
import static io.varve.shard.replicated.RecordsOfAPrimary.says;
import static io.varve.shard.replicated.RecordsOfAPrimary.unreplicated;
import static io.varve.shard.replicated.RecordsOfAPrimary.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import io.varve.shard.replicated.Confirmation.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Records of which another copy has another version than the primary, or none. */
class ContradictedRecordsTest {

  @Test
  void aContradictedRecordStaysUnreplicatedWhateverThatCopyClaims() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    Confirmation asked = ask(records, at(120));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 149));
    records.answered(opening(records, ONE), List.of(at(120)), says(ONE, Verdict.OTHER));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Contradicted(ONE));

    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));

    assertThat(records.state(at(120))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.state(at(121))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(119);
    assertThat(records.hasUnreplicated()).isTrue();
    assertThat(unreplicated(records).test(120)).isTrue();
    assertThat(records.state(Version.absent("x", 149)))
        .as("the missing record may be its delete")
        .isEqualTo(ReplicationState.REPLICATING);
  }

  @Test
  void aContradictionEndsWhenTheCopyHoldsTheRecordOrIsRebuilt() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    for (long seqNo : new long[] {120, 130}) {
      ask(records, at(seqNo));
      records.answered(opening(records, ONE), List.of(at(seqNo)), says(ONE, Verdict.OTHER));
    }
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 149));
    ask(records, at(120));
    records.answered(opening(records, ONE), List.of(at(120)), says(ONE, Verdict.HOLDS));
    records.answered(opening(records, TWO), List.of(at(120)), says(TWO, Verdict.HOLDS));
    assertThat(records.state(at(120))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(129);

    records.members(new Members(true, Set.of(TWO), Set.of(TWO)));

    assertThat(records.state(at(130))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(149);
  }

  @Test
  void aComparisonTakesBackWhatACopySaidUntilAllCopiesThatContradictItAreReplaced() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 149));
    assertThat(records.state(at(10))).isEqualTo(ReplicationState.REPLICATED);

    records.contradicted(at(10), ONE);
    records.contradicted(at(10), TWO);

    assertThat(records.state(at(10))).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(unreplicated(records).test(10)).isTrue();
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
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    Version absent = Version.absent("stray", 149);
    assertThat(records.state(absent)).isEqualTo(ReplicationState.REPLICATED);

    records.contradicted(absent, ONE);

    assertThat(records.state(absent)).isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.hasUnreplicated()).isTrue();
    assertThat(records.state(Version.absent("other", 149))).isEqualTo(ReplicationState.REPLICATED);
    Confirmation asked = ask(records, absent);
    records.answered(opening(records, ONE), List.of(absent), says(ONE, Verdict.HOLDS));
    assertThat(asked.outcome().join()).isEqualTo(new Outcome.Replicated());
    assertThat(records.state(absent)).isEqualTo(ReplicationState.REPLICATED);
  }

  @Test
  void ofManyDocumentsThatOnlyACopyHasNoneIsForgotten() {
    ReplicatedRecords records = records(LIMITS, ONE);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    for (int i = 0; i <= ContradictedRecords.MOST_ABSENT; i++) {
      records.contradicted(Version.absent("stray" + i, 149), ONE);
    }
    assertThat(records.state(Version.absent("stray" + ContradictedRecords.MOST_ABSENT, 149)))
        .isEqualTo(ReplicationState.UNREPLICATED);
    records.members(new Members(true, Set.of(TWO), Set.of(TWO)));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 149));
    assertThat(records.state(Version.absent("stray1", 149))).isEqualTo(ReplicationState.REPLICATED);
  }

  private static void confirmedByAll(ReplicatedRecords records, Version version) {
    ask(records, version);
    records.answered(opening(records, ONE), List.of(version), says(ONE, Verdict.HOLDS));
    records.answered(opening(records, TWO), List.of(version), says(TWO, Verdict.HOLDS));
  }

  @Test
  void aContradictedRecordThatIsOverwrittenEndsOnceAllCopiesConfirmTheLaterVersion() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    records.contradicted(at(120), ONE);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 149));
    Version later = Version.of("d120", 140, 4);
    assertThat(records.state(later))
        .as("the copy that contradicts the document proves it only by id")
        .isEqualTo(ReplicationState.UNREPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(119);
    LongPredicate counted = unreplicated(records, Map.of("d120", 140L));
    assertThat(LongStream.rangeClosed(0, 149).filter(counted))
        .as("searches show one of both versions, which is counted before anybody reads it")
        .containsExactly(120L, 140L);

    confirmedByAll(records, later);

    assertThat(LongStream.rangeClosed(0, 149).filter(unreplicated(records, Map.of("d120", 140L))))
        .isEmpty();
    assertThat(records.state(later)).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(149);
    assertThat(records.hasUnreplicated()).isFalse();
  }

  @Test
  void aContradictedRecordThatIsDeletedEndsOnceAllCopiesConfirmTheDelete() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    records.contradicted(at(120), ONE);
    records.contradicted(at(130), ONE);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 149));

    confirmedByAll(records, Version.absent("d120", 149));

    assertThat(records.replicatedUpTo()).isEqualTo(129);
    assertThat(records.state(at(130))).isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void anEarlierVersionOfAContradictedDocumentEndsNothing() {
    ReplicatedRecords records = records(LIMITS, ONE, TWO);
    records.contradicted(at(120), ONE);
    records.answered(opening(records, ONE), List.of(), upTo(ONE, 149));
    records.answered(opening(records, TWO), List.of(), upTo(TWO, 149));

    assertThat(records.state(Version.of("d120", 110, 4))).isEqualTo(ReplicationState.REPLICATED);
    assertThat(records.replicatedUpTo()).isEqualTo(119);
  }
}
