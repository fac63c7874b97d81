package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterState;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPage.Compared;
import io.varve.shard.replicated.DigestAppeal.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DigestAppealTest {

  private static final Member ONE = new Member("one", "run1");
  private static final long BASE = 100;

  private final ReplicatedRecords records =
      new ReplicatedRecords(5, BASE, new RecordLimits(2, false, 3, 4, 1_000));
  private final Copies copies = new Copies();
  private final List<Runnable> later = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private final DigestAppeal appeal = new DigestAppeal(new Node(), records, BASE, copies);

  private final class Copies implements DigestAppeal.Copies {
    final List<String> done = new ArrayList<>();
    List<String> contradictions = List.of();
    List<String> late = List.of();
    boolean settled;
    boolean answersById = true;
    @Nullable IOException failure;
    Runnable meanwhile = () -> {};

    @Override
    public CopyComparison.Result compare(long upToSeqNo) throws IOException {
      done.add("compare up to " + upToSeqNo);
      if (failure != null) {
        throw failure;
      }
      Set<Opening> openings = records.openings();
      meanwhile.run();
      return new CopyComparison.Result(
          openings,
          Compared.NOTHING,
          0,
          contradictions.isEmpty()
              ? Map.of()
              : Map.of(ONE, new CopyComparison.Differences(List.of(), contradictions)),
          late);
    }

    @Override
    public void differs(Member by, CopyComparison.Differences found) {
      done.add(by.copyId() + " contradicts " + found.names());
    }

    @Override
    public boolean askById(long toSeqNo) {
      done.add("ask below " + toSeqNo);
      return answersById;
    }

    @Override
    public boolean settled() {
      return settled;
    }
  }

  private final class Node implements TrackerContext {

    @Override
    public ClusterState state() {
      return ClusterState.EMPTY;
    }

    @Override
    public AutoCloseable listen(Runnable changed) {
      return () -> {};
    }

    @Override
    public CompletableFuture<HoldsWire.Answer> ask(Member member, HoldsWire.Question question) {
      return new CompletableFuture<>();
    }

    @Override
    public void after(long millis, Runnable task) {
      pauses.add(millis);
      later.add(task);
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public long nowMillis() {
      return 0;
    }
  }

  @BeforeEach
  void start() {
    records.members(new Members(true, Set.of(ONE), Set.of(ONE)));
    records.applied(120);
    appeal.start();
  }

  private void allHoldTheRecordsOfFormerPrimaries() {
    records.answered(
        RecordsOfAPrimary.opening(records, ONE),
        List.of(),
        new HoldsWire.Answer("one", "run1", 5, BASE - 1, List.of()));
  }

  private void afterThePause() {
    List<Runnable> due = List.copyOf(later);
    later.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void equalCopiesProveAllRecordsOnceTheySayThatTheyHoldThem() {
    assertThat(copies.done).isEmpty();
    allHoldTheRecordsOfFormerPrimaries();
    assertThat(copies.done).containsExactly("compare up to 99");
    assertThat(records.hasUnreplicated()).isFalse();
    assertThat(later).isEmpty();
  }

  @Test
  void aCopyThatIsLateOrDoesNotAnswerIsComparedAgain() {
    copies.late = List.of("one");
    allHoldTheRecordsOfFormerPrimaries();
    assertThat(records.hasUnreplicated()).isTrue();
    copies.late = List.of();
    copies.failure = new IOException("on purpose");
    afterThePause();
    assertThat(records.hasUnreplicated()).isTrue();
    copies.failure = null;
    afterThePause();
    assertThat(records.hasUnreplicated()).isFalse();
    assertThat(later).isEmpty();
  }

  @Test
  void aCopyThatIsOpenedAgainDuringTheComparisonIsComparedAgain() {
    copies.meanwhile = () -> records.admit(ONE);
    allHoldTheRecordsOfFormerPrimaries();
    assertThat(appeal.progress().state()).isEqualTo(State.RETRYING);
    assertThat(records.hasUnreplicated()).isTrue();
    copies.meanwhile = () -> {};
    afterThePause();
    assertThat(records.hasUnreplicated()).isFalse();
  }

  @Test
  void anUndecidedAppealGoesOnOnceTheCopyIsOpenedAgain() {
    isUndecided();
    records.admit(ONE);
    copies.done.clear();
    afterThePause();
    assertThat(copies.done).startsWith("compare up to 99");
  }

  @Test
  void contradictionsAreDecidedAndAllRecordsAreAskedForById() {
    copies.contradictions = List.of("d3");
    allHoldTheRecordsOfFormerPrimaries();
    assertThat(copies.done)
        .containsExactly("compare up to 99", "one contradicts [d3]", "ask below 100");
    assertThat(records.hasUnreplicated()).isTrue();
    copies.contradictions = List.of();
    afterThePause();
    assertThat(records.hasUnreplicated()).isFalse();
  }

  private static final Version DIFFERS = Version.of("d3", 3, 4);

  private void isUndecided() {
    copies.contradictions = List.of("d3");
    copies.settled = true;
    records.contradicted(DIFFERS, ONE);
    allHoldTheRecordsOfFormerPrimaries();
    assertThat(appeal.progress())
        .isEqualTo(new DigestAppeal.Progress(State.UNDECIDED, 1, DigestAppeal.FIRST_PAUSE_MILLIS));
  }

  @Test
  void copiesThatTheLogCannotDecideBetweenAreNotComparedAgain() {
    isUndecided();
    copies.done.clear();
    for (int minute = 0; minute < 1_000; minute++) {
      afterThePause();
    }
    assertThat(copies.done).isEmpty();
    assertThat(later).as("one look at a time").hasSize(1);
    assertThat(pauses)
        .startsWith(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L)
        .endsWith(60_000L);
    assertThat(appeal.progress())
        .isEqualTo(new DigestAppeal.Progress(State.UNDECIDED, 1, DigestAppeal.MOST_PAUSE_MILLIS));
  }

  @Test
  void anUndecidedAppealEndsOnceTheCopyIsReplaced() {
    isUndecided();
    Member next = new Member("next", "run1");
    records.members(new Members(true, Set.of(next), Set.of(next)));
    copies.contradictions = List.of();
    afterThePause();
    assertThat(appeal.progress()).isEqualTo(new DigestAppeal.Progress(State.PROVEN, 2, 0));
    assertThat(records.hasUnreplicated()).isFalse();
    assertThat(later).isEmpty();
  }

  @Test
  void anUndecidedAppealEndsOnceNoRecordIsContradicted() {
    isUndecided();
    var _ = records.confirm(DIFFERS, 0);
    records.answered(
        RecordsOfAPrimary.opening(records, ONE),
        List.of(DIFFERS),
        new HoldsWire.Answer("one", "run1", 5, -1, List.of(Verdict.HOLDS)));
    copies.contradictions = List.of();
    afterThePause();
    assertThat(appeal.progress().state()).isEqualTo(State.PROVEN);
  }

  @Test
  void anUndecidedAppealGoesOnIfAContradictionIsLeftThatTheLogDidNotAnswer() {
    isUndecided();
    copies.settled = false;
    afterThePause();
    assertThat(appeal.progress())
        .isEqualTo(new DigestAppeal.Progress(State.RETRYING, 2, DigestAppeal.FIRST_PAUSE_MILLIS));
  }

  @Test
  void theCopiesAreComparedAgainWithPausesThatGrowToAMinute() {
    copies.failure = new IOException("on purpose");
    allHoldTheRecordsOfFormerPrimaries();
    for (int i = 0; i < 8; i++) {
      assertThat(appeal.progress().state()).isEqualTo(State.RETRYING);
      afterThePause();
    }
    assertThat(pauses)
        .containsExactly(
            1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L);
  }

  @Test
  void copiesThatDoNotAnswerByIdAreComparedAgain() {
    copies.answersById = false;
    copies.contradictions = List.of("d3");
    copies.settled = true;
    records.contradicted(DIFFERS, ONE);
    allHoldTheRecordsOfFormerPrimaries();
    assertThat(appeal.progress().state()).isEqualTo(State.RETRYING);
  }
}
