package io.varve.coordinator.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.ApiException;
import io.varve.security.SecurityCommand;
import io.varve.security.SecurityFold;
import io.varve.security.SecurityState;
import io.varve.security.User;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The security topic: who writes it, and what a coordinator does that can't read it. */
class SecurityNodeTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path folder;

  private final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final Topics topics = new Topics("test", 1);
  private final List<SecurityNode> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(SecurityNode::close);
  }

  private static final class Seat implements SecurityNode.Cluster {
    private final String name;
    private volatile long term;
    private volatile int level = 3;

    /** The wait for a version at the other coordinators. */
    private volatile LongPredicate others =
        version -> {
          throw new AssertionError("nobody waits for version " + version);
        };

    Seat(String name, long term) {
      this.name = name;
      this.term = term;
    }

    Seat withoutOthers() {
      others = _ -> true;
      return this;
    }

    @Override
    public void awaitStart() {
      // The cluster log is read already.
    }

    @Override
    public String nodeId() {
      return name;
    }

    @Override
    public long leadingTerm() {
      return term;
    }

    @Override
    public Optional<String> leaderUrl() {
      return Optional.of("leader");
    }

    @Override
    public int featureLevel() {
      return level;
    }

    @Override
    public boolean awaitOthers(long version, Duration timeout) {
      return others.test(version);
    }
  }

  /** Commands to the leader are carried out by the first node. */
  private SecurityNode node(Seat seat) {
    SecurityNode node =
        new SecurityNode(
            log,
            topics,
            seat,
            (_, command) ->
                Optional.of(
                    nodes.getFirst().executeLocally(Json.read(command, SecurityCommand.class))),
            new AdminPassword(folder.resolve(seat.name), password -> "{noop}" + password));
    nodes.add(node);
    node.start();
    return node;
  }

  private static SecurityCommand put(String name) {
    return new SecurityCommand.PutUser(
        new User(name, "{noop}x", List.of(), List.of(), Map.of(), "", false));
  }

  private static void awaitAdmin(SecurityNode node) {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(ApiException.class)
        .until(() -> node.current().state().users().containsKey("admin"));
  }

  @Test
  void theLeaderCreatesTheAdminAndWritesItsPasswordForItsOwnerOnly() throws Exception {
    SecurityNode node = node(new Seat("a", 1));
    awaitAdmin(node);

    Path file = folder.resolve("a").resolve("admin.password");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(node.current().state().users().get("admin").hash())
        .isEqualTo("{noop}" + Files.readString(file).strip());
    assertThat(Files.readString(file).strip().length()).isGreaterThanOrEqualTo(32);
  }

  @Test
  void aChangeIsAcknowledgedWhenTheOtherCoordinatorsHaveAppliedIt() throws Exception {
    Seat seat = new Seat("a", 1);
    SecurityNode leader = node(seat);
    SecurityNode other = node(new Seat("b", 0));
    awaitAdmin(leader);
    awaitAdmin(other);
    CompletableFuture<Long> asked = new CompletableFuture<>();
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    seat.others =
        version -> {
          asked.complete(version);
          return answer.join();
        };

    CompletableFuture<Boolean> created =
        CompletableFuture.supplyAsync(() -> created(leader, put("ann")));

    assertThat(asked.get(1, TimeUnit.MINUTES)).isEqualTo(2);
    assertThat(created).isNotDone();
    assertThat(other.awaitApplied(2, PATIENCE)).isEqualTo(2);
    assertThat(other.awaitApplied(3, Duration.ZERO)).as("in time").isEqualTo(2);
    assertThat(other.current().state().users()).containsKey("ann");
    answer.complete(true);
    assertThat(created.get(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void severalChangesAreAcknowledgedWhenTheOtherCoordinatorsHaveAppliedThem() throws Exception {
    Seat seat = new Seat("a", 1);
    SecurityNode node = node(seat);
    awaitAdmin(node);
    List<Long> asked = new CopyOnWriteArrayList<>();
    seat.others = asked::add;

    node.change(
        state -> new SecurityCommand.ChangeAll(state.version(), List.of(put("ann"), put("bob"))));
    node.change(_ -> null);

    assertThat(asked).as("also by a change that was made before").containsExactly(2L, 2L);
  }

  @Test
  void aChangeThatAnotherCoordinatorHasNotAppliedInTimeIsMadeButNotAcknowledged() {
    Seat seat = new Seat("a", 1);
    SecurityNode node = node(seat);
    awaitAdmin(node);
    seat.others = _ -> false;

    assertThatThrownBy(() -> node.execute(put("ann")))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(503);
              assertThat(e.error().reason()).contains("not all coordinators");
            });
    assertThat(node.current().state().users()).containsKey("ann");
  }

  private static boolean created(SecurityNode node, SecurityCommand command) {
    try {
      return node.execute(command).created();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void othersSendTheirChangesToTheLeaderAndReadThem() throws InterruptedException {
    SecurityNode leader = node(new Seat("a", 1));
    SecurityNode other = node(new Seat("b", 0).withoutOthers());
    awaitAdmin(leader);
    awaitAdmin(other);

    assertThat(other.execute(put("ann")).created()).isTrue();

    assertThat(other.current().state().users()).containsKey("ann");
    assertThat(folder.resolve("b")).doesNotExist();
  }

  @Test
  void aChangeIsDerivedAgainWhenAnotherOneCameFirst() throws InterruptedException {
    SecurityNode leader = node(new Seat("a", 1));
    SecurityNode other = node(new Seat("b", 0).withoutOthers());
    awaitAdmin(leader);
    awaitAdmin(other);
    List<Long> versions = new ArrayList<>();

    other.change(state -> {
      versions.add(state.version());
      if (versions.size() == 1) {
        carryOut(leader, put("ann"));
      }
      return new SecurityCommand.ChangeAll(state.version(), List.of(put("bob"), put("cid")));
    });

    assertThat(versions).containsExactly(1L, 2L);
    assertThat(other.current().state().users()).containsOnlyKeys("admin", "ann", "bob", "cid");
    assertThat(other.current().state().version()).isEqualTo(3);
  }

  @Test
  void aChangeOfAStateThatAlwaysChangesIsRefusedInTheEnd() {
    SecurityNode node = node(new Seat("a", 1));
    awaitAdmin(node);

    assertThatThrownBy(() ->
            node.change(state -> {
              carryOut(node, put("user-" + state.version()));
              return new SecurityCommand.ChangeAll(state.version(), List.of(put("late")));
            }))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(409));
    assertThat(node.current().state().users()).doesNotContainKey("late");
  }

  @Test
  void belowItsFeatureLevelAChangeOfSeveralEntitiesIsRefused() {
    Seat seat = new Seat("a", 1);
    seat.level = 2;
    SecurityNode node = node(seat);
    awaitAdmin(node);

    assertThatThrownBy(() ->
            node.change(state ->
                new SecurityCommand.ChangeAll(state.version(), List.of(put("ann"), put("bob")))))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(400));
    assertThat(node.current().state().users()).containsOnlyKeys("admin");
  }

  private static void carryOut(SecurityNode node, SecurityCommand command) {
    try {
      assertThat(node.executeLocally(command).created()).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aNewLeaderContinuesAndTheFormerOneCannotWriteAnyMore() throws InterruptedException {
    SecurityNode former = node(new Seat("a", 1).withoutOthers());
    awaitAdmin(former);
    assertThat(former.execute(put("ann")).created()).isTrue();
    SecurityNode now = node(new Seat("b", 2).withoutOthers());
    awaitAdmin(now);

    assertThat(now.execute(put("bob")).created()).isTrue();

    assertThatThrownBy(() -> former.executeLocally(put("eve")))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(503));
    assertThat(now.execute(put("cid")).created()).isTrue();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(former.current().state().users().keySet())
                .containsExactly("admin", "ann", "bob", "cid"));
    assertThat(former.current().state()).isEqualTo(now.current().state());
  }

  @Test
  void aCoordinatorThatStartsAgainKnowsWhatWasWritten() throws InterruptedException {
    SecurityNode before = node(new Seat("a", 1).withoutOthers());
    awaitAdmin(before);
    assertThat(before.execute(put("ann")).created()).isTrue();
    before.close();

    SecurityNode after = node(new Seat("c", 0));
    awaitAdmin(after);

    assertThat(after.current().state())
        .isEqualTo(new SecurityFoldOf(log.open(topics.security(), 0)).state());
  }

  @Test
  void belowTheFeatureLevelNothingIsWritten() {
    Seat seat = new Seat("a", 1);
    seat.level = 1;
    SecurityNode node = node(seat);
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(ApiException.class)
        .until(() -> node.current() != null);

    assertThatThrownBy(() -> node.executeLocally(put("ann")))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(400));
    assertThat(node.current().state().users()).isEmpty();
  }

  @Test
  void aRecordThatCannotBeReadClosesTheCoordinatorForGood() throws Exception {
    SecurityNode node = node(new Seat("a", 1));
    awaitAdmin(node);
    PartitionLog partition = log.open(topics.security(), 0);
    append(partition, RecordHeader.fence(5_000, "x"));
    append(
        partition,
        RecordHeader.data(
            5_000, 1, "key".getBytes(UTF_8), "{\"event\":\"of_later\"}".getBytes(UTF_8)));

    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThatThrownBy(node::current)
                .isInstanceOfSatisfying(
                    ApiException.class, e -> assertThat(e.error().status()).isEqualTo(503)));
    assertThat(node.awaitApplied(99, PATIENCE)).as("it serves no request").isEqualTo(99);
    SecurityNode restarted = node(new Seat("d", 0));
    assertThatThrownBy(restarted::current).isInstanceOf(ApiException.class);
  }

  private static void append(PartitionLog partition, RawRecord record) throws Exception {
    partition.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            // The next record may follow.
          }

          @Override
          public void unknown(String reason) {
            throw new IllegalStateException(reason);
          }
        });
  }

  /** A fold of the whole topic. */
  private record SecurityFoldOf(PartitionLog partition) {
    SecurityState state() {
      SecurityFold fold = new SecurityFold();
      TermFence fence = new TermFence();
      try {
        partition.read(
            0,
            partition.endOffset(),
            stored -> {
              if (fence.judge(stored.record()).accepted()) {
                fold.add(stored.record().value());
              }
            });
      } catch (LogException e) {
        throw new IllegalStateException(e);
      }
      return fold.state();
    }
  }
}
