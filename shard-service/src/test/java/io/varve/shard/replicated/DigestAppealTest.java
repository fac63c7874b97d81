package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterState;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.RereplicationPage.Compared;
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
      new ReplicatedRecords(5, BASE, new ReplicatedRecords.Limits(2, false, 3, 4, 1_000));
  private final Copies copies = new Copies();
  private final List<Runnable> later = new ArrayList<>();
  private final DigestAppeal appeal = new DigestAppeal(new Node(), records, BASE, copies);

  private static final class Copies implements DigestAppeal.Copies {
    final List<String> done = new ArrayList<>();
    List<String> contradictions = List.of();
    List<String> late = List.of();
    @Nullable IOException failure;

    @Override
    public CopyComparison.Result compare(long upToSeqNo) throws IOException {
      done.add("compare up to " + upToSeqNo);
      if (failure != null) {
        throw failure;
      }
      return new CopyComparison.Result(
          Set.of(ONE),
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
    public void askById(long toSeqNo) {
      done.add("ask below " + toSeqNo);
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
    records.answered(ONE, List.of(), new HoldsWire.Answer("one", "run1", 5, BASE - 1, List.of()));
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
}
