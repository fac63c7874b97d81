package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.engine.version.DocumentState;
import io.varve.events.ShardId;
import io.varve.host.reading.LogEnd;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogPosition;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.WriteItem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A primary of term 7 without appeals, whose predecessors wrote seq_nos 0 to 9, and one replica.
 */
class ConfirmedReadsTest {

  private static final ShardId SHARD = new ShardId("ledger-uuid", 0);
  private static final Member REPLICA = new Member("r", "n2-run");
  private static final long BASE = 10;

  private final Map<String, DocumentState> documents = new HashMap<>();
  private final OffsetWatcher applied = new OffsetWatcher(BASE - 1);
  private final List<String> contradicted = new ArrayList<>();
  private final Copies copies = new Copies();
  private final ReplicationTracker tracker =
      new ReplicationTracker(copies, SHARD, "p", 7, BASE, applied);
  private final Confirmer confirmer =
      new Confirmer(
          new Confirmer.Primary(
              SHARD,
              new Confirmer.Documents() {
                @Override
                public GetResult get(Wanted wanted) {
                  DocumentState state = documents.get(wanted.id());
                  return state == null || state.deleted()
                      ? GetResult.missing(wanted.id())
                      : state.found(wanted.id(), state.source(), Map.of());
                }

                @Override
                public @Nullable DocumentState state(String id) {
                  return documents.get(id);
                }
              },
              applied,
              new LogEnd(
                  new InMemoryMessageLog(Runnable::run, () -> 0).open("ops", 0),
                  () -> new LogPosition(0, BASE, 7),
                  applied,
                  Runnable::run,
                  _ -> {}),
              _ -> {}),
          tracker,
          (disputed, by) -> contradicted.add(disputed + " by " + by.copyId()));
  private final ConfirmedReads reads = new ConfirmedReads(confirmer);
  private final ConfirmedBases bases = new ConfirmedBases(confirmer);

  /** The replica, which is asked and answers when the test says so. */
  private static final class Copies implements TrackerContext {
    final List<Version> asked = new ArrayList<>();
    final List<CompletableFuture<HoldsWire.Answer>> open = new ArrayList<>();
    final List<Runnable> later = new ArrayList<>();
    long nowMillis;

    @Override
    public ClusterState state() {
      ClusterState state = ClusterState.EMPTY;
      for (String node : List.of("n1", "n2")) {
        state =
            state.apply(
                new ClusterEvent.NodeJoined(
                    new NodeInfo(node, node, node + "-run", Set.of(NodeInfo.REPLICA), "http://x")));
      }
      return state.apply(
          new ClusterEvent.IndexCreated(
              new IndexMetadata(
                  "ledger",
                  SHARD.indexUuid(),
                  0,
                  Map.of("index.replication.appeals", "none"),
                  1,
                  "{}",
                  1,
                  null,
                  List.of(
                      new ShardRouting(
                          SHARD, 7, List.of(copy("p", true, "n1"), copy("r", false, "n2")))))));
    }

    private static CopyRouting copy(String id, boolean primary, String node) {
      return CopyRouting.unassigned(id, primary, "NEW")
          .assignedTo(id, node)
          .in(CopyRouting.State.STARTED);
    }

    @Override
    public AutoCloseable listen(Runnable changed) {
      return () -> {};
    }

    @Override
    public CompletableFuture<HoldsWire.Answer> ask(Member member, HoldsWire.Question question) {
      assertThat(member).isEqualTo(REPLICA);
      CompletableFuture<HoldsWire.Answer> answer = new CompletableFuture<>();
      if (!question.versions().isEmpty()) {
        asked.addAll(question.versions());
        open.add(answer);
      }
      return answer;
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
      return nowMillis;
    }

    void holds() {
      says(7, Verdict.HOLDS);
    }

    void says(long term, Verdict verdict) {
      List<CompletableFuture<HoldsWire.Answer>> answers = List.copyOf(open);
      open.clear();
      answers.forEach(answer ->
          answer.complete(new HoldsWire.Answer("r", "n2-run", term, BASE - 1, List.of(verdict))));
    }

    void fails(Throwable failure) {
      List<CompletableFuture<HoldsWire.Answer>> answers = List.copyOf(open);
      open.clear();
      answers.forEach(answer -> answer.completeExceptionally(failure));
    }

    void pass(long millis) {
      nowMillis += millis;
      List<Runnable> due = List.copyOf(later);
      later.clear();
      due.forEach(Runnable::run);
    }
  }

  @BeforeEach
  void write() {
    documents.put(
        "d", new DocumentState(3, 5, 1, false, "{}".getBytes(StandardCharsets.UTF_8), null));
    documents.put("gone", new DocumentState(4, 5, 2, true, null, null));
    tracker.start();
  }

  private CompletableFuture<Map<Integer, ErrorBody>> get(String id) {
    return reads.new Get(List.of(new Wanted(id, Set.of()))).begin();
  }

  @Test
  void fiftyGetsOfARecordAskItsCopiesOnceAndTheNextOneDoesNot() {
    List<CompletableFuture<Map<Integer, ErrorBody>>> gets = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      gets.add(get("d"));
    }
    assertThat(copies.asked).containsExactly(Version.of("d", 3, 5));
    assertThat(gets).noneMatch(CompletableFuture::isDone);

    copies.holds();

    assertThat(gets).allMatch(get -> get.isDone() && get.join().isEmpty());
    assertThat(get("d").join()).isEmpty();
    assertThat(copies.asked).hasSize(1);
  }

  @Test
  void aCopyThatIsOpenedAgainAnswersTheQuestionAgain() {
    CompletableFuture<Map<Integer, ErrorBody>> get = get("d");
    assertThat(reads.admit("r", "n2-run")).isEqualTo(BASE - 1);
    assertThat(copies.open).hasSize(2);

    copies.open.removeFirst().complete(answer(Verdict.HOLDS));
    copies.pass(200);
    assertThat(get).as("the answer may be that of the earlier opening").isNotDone();
    assertThat(copies.open).as("it is not asked more often").hasSize(1);

    copies.holds();
    assertThat(get.join()).isEmpty();
  }

  private static HoldsWire.Answer answer(Verdict verdict) {
    return new HoldsWire.Answer("r", "n2-run", 7, BASE - 1, List.of(verdict));
  }

  @Test
  void aGetFailsWhileACopyDoesNotAnswerAndTheRecordIsUnreplicatedAgain() {
    CompletableFuture<Map<Integer, ErrorBody>> get = get("d");
    copies.pass(60_000);

    assertThat(get.join().get(0).status()).isEqualTo(503);
    assertThat(get.join().get(0).type()).isEqualTo(ConfirmedReads.UNCONFIRMED_TYPE);
    assertThat(tracker.records().state(Version.of("d", 3, 5)))
        .isEqualTo(ReplicationState.UNREPLICATED);

    CompletableFuture<Map<Integer, ErrorBody>> next = get("d");
    copies.holds();
    copies.pass(200);
    copies.holds();
    assertThat(next.join()).isEmpty();
  }

  @Test
  void aCopyOfAnOlderReleaseIsNamedAtOnce() {
    CompletableFuture<Map<Integer, ErrorBody>> get = get("d");

    copies.fails(new NoSuchEndpointException(REPLICA, "holds"));

    assertThat(get.join().get(0).status()).isEqualTo(503);
    assertThat(get.join().get(0).type()).isEqualTo(ConfirmedReads.UNCONFIRMED_TYPE);
    assertThat(get.join().get(0).reason()).contains("copy r is of a release that can't answer");
    assertThat(tracker.records().state(Version.of("d", 3, 5)))
        .isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aLaterVersionThatIsNotThereAtTheLogsEndIsAContradiction() {
    CompletableFuture<Map<Integer, ErrorBody>> get = get("d");
    copies.says(7, Verdict.NEWER);
    assertThat(get).as("the primary may be behind the log").isNotDone();
    copies.says(7, Verdict.NEWER);

    assertThat(get.join().get(0).reason()).contains("copy r holds another version");
    assertThat(contradicted)
        .containsExactly(new Disputed(Version.of("d", 3, 5), BASE - 1) + " by r");
    assertThat(tracker.records().state(Version.of("d", 3, 5)))
        .isEqualTo(ReplicationState.UNREPLICATED);
  }

  @Test
  void aLaterVersionThatThePrimaryAppliesMeanwhileIsConfirmed() {
    CompletableFuture<Map<Integer, ErrorBody>> get = get("d");
    documents.put("d", new DocumentState(10, 7, 2, false, new byte[0], null));
    copies.says(7, Verdict.NEWER);
    copies.holds();
    assertThat(get.join()).isEmpty();
    assertThat(contradicted).isEmpty();
  }

  @Test
  void aDocumentIsNotFoundOnlyOnceItsDeleteIsConfirmed() {
    CompletableFuture<Map<Integer, ErrorBody>> get = get("gone");
    assertThat(copies.asked).containsExactly(Version.deleted("gone", 4, 5));
    assertThat(get).isNotDone();
    copies.holds();
    assertThat(get.join()).isEmpty();
  }

  @Test
  void writesOfEachKindWaitForTheirDocumentAndThoseWithoutAnIdDoNot() {
    List<WriteItem> items = new ArrayList<>();
    for (WriteItem.Kind kind : WriteItem.Kind.values()) {
      items.add(WriteItem.of(kind, "d", new byte[0], 0, 0));
    }
    items.add(WriteItem.of(WriteItem.Kind.DELETE, "gone", new byte[0], 0, 0));
    CompletableFuture<Map<Integer, ErrorBody>> base = bases.new Request(items).begin();
    assertThat(copies.asked)
        .containsExactlyInAnyOrder(Version.of("d", 3, 5), Version.deleted("gone", 4, 5));
    assertThat(base).isNotDone();

    copies.pass(60_000);

    assertThat(base.join().keySet()).hasSize(items.size());
    assertThat(base.join().values()).allMatch(error -> error.status() == 503);
  }
}
