package io.varve.coordinator.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.RemoteSettings;
import io.varve.cluster.Replacement;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.rpc.LeaseRenewal;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a followed cluster is tailed, and when its followers are updated. */
@Timeout(180)
class FollowedClustersTest {

  private static final FollowRelation FOLLOW =
      new FollowRelation("east", "books", "books-uuid", null, 1);

  private final FakeCluster cluster = new FakeCluster();
  private final List<FakeTail> tails = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  /** The cluster with this alias does not answer before. */
  private final CountDownLatch answers = new CountDownLatch(1);

  private final CountDownLatch opening = new CountDownLatch(1);
  private final FollowedClusters followed =
      new FollowedClusters(
          cluster,
          this::open,
          new AutoFollowStats(InstantSource.system()),
          Duration.ofMillis(10).toMillis());

  /** A tail whose state the test sets. */
  private static final class FakeTail implements LeaderTail {
    private final FollowedCluster followed;
    private final Runnable onChange;
    private volatile Optional<ClusterState> state = Optional.empty();
    private volatile Map<String, String> skipped = Map.of();
    private volatile Optional<String> unreadable = Optional.empty();
    private final List<LeaseRenewal.Release> released = new CopyOnWriteArrayList<>();
    private volatile boolean lost;
    private volatile boolean closed;

    FakeTail(FollowedCluster followed, Runnable onChange) {
      this.followed = followed;
      this.onChange = onChange;
    }

    void shows(ClusterState next) {
      state = Optional.of(next);
      onChange.run();
    }

    void lose() {
      lost = true;
      onChange.run();
    }

    @Override
    public Optional<ClusterState> state() {
      return state;
    }

    @Override
    public Map<String, String> skipped() {
      return skipped;
    }

    @Override
    public Optional<String> unreadable() {
      return unreadable;
    }

    @Override
    public void release(LeaseRenewal.Release release) {
      released.add(release);
    }

    @Override
    public boolean isLost() {
      return lost;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private LeaderTail open(FollowedCluster one, Runnable onChange)
      throws IOException, InterruptedException {
    if (one.alias().equals("silent")) {
      opening.countDown();
      answers.await();
    }
    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IOException("no answer");
    }
    FakeTail tail = new FakeTail(one, onChange);
    tails.add(tail);
    return tail;
  }

  @AfterEach
  void close() {
    followed.close();
  }

  private void follow() {
    cluster.change(state -> state.apply(new ClusterEvent.FeatureLevelRaised(2)));
    cluster.setting("cluster.remote.east.seeds", "127.0.0.1:1, 127.0.0.1:2");
    cluster.index("copy", 1);
    cluster.change(state -> state.apply(new ClusterEvent.FollowChanged("copy-uuid", FOLLOW)));
    followed.start();
  }

  private static ClusterState leaders(String ngramDiff) {
    return new FakeCluster().index("books", 1, Map.of("index.max_ngram_diff", ngramDiff)).state();
  }

  private static void eventually(ThrowingRunnable assertion) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(assertion);
  }

  private FakeTail awaitTail(int number) {
    eventually(() -> assertThat(tails).hasSizeGreaterThan(number));
    return tails.get(number);
  }

  @Test
  void eachStateOfTheLeadersClusterUpdatesTheFollowers() {
    follow();
    FakeTail tail = awaitTail(0);
    assertThat(tail.followed)
        .isEqualTo(
            new FollowedCluster(
                new RemoteSettings("east", List.of("127.0.0.1:1", "127.0.0.1:2")),
                List.of("books")));

    tail.shows(leaders("3"));

    eventually(() ->
        assertThat(cluster.commands())
            .contains(
                new ClusterCommand.UpdateFollower(
                    "copy-uuid",
                    "books-uuid",
                    "{}",
                    Map.of("index.max_ngram_diff", "3"),
                    Map.of(),
                    1)));
  }

  @Test
  void onlyTheLeadingCoordinatorTails() {
    cluster.change(state -> state.ledBy("another", 2));
    follow();
    assertThat(tails).isEmpty();
    cluster.change(state -> state.ledBy("coordinator-node", 3));
    FakeTail tail = awaitTail(0);
    assertThat(tail.closed).isFalse();

    cluster.change(state -> state.ledBy("another", 4));

    eventually(() -> assertThat(tail.closed).isTrue());
  }

  @Test
  void aClusterThatDoesNotAnswerIsTriedAgain() {
    failures.set(3);
    follow();

    awaitTail(0);
    assertThat(failures).hasValue(0);
  }

  @Test
  void aTailThatIsLostIsOpenedAgain() {
    follow();
    awaitTail(0).lose();

    assertThat(awaitTail(1).closed).isFalse();
    assertThat(tails.getFirst().closed).isTrue();
  }

  @Test
  void aPausedFollowerNeedsNoTail() {
    follow();
    FakeTail tail = awaitTail(0);

    cluster.change(
        state -> state.apply(new ClusterEvent.FollowChanged("copy-uuid", FOLLOW.asPaused())));

    eventually(() -> assertThat(tail.closed).isTrue());
  }

  @Test
  void otherSeedsNeedAnotherTail() {
    follow();
    awaitTail(0);

    cluster.setting("cluster.remote.east.seeds", "127.0.0.1:3");

    assertThat(awaitTail(1).followed.remote().seeds()).containsExactly("127.0.0.1:3");
    assertThat(tails.getFirst().closed).isTrue();
  }

  @Test
  void aPatternNeedsATailThoughNothingIsFollowedYet() {
    cluster.change(state -> state.apply(new ClusterEvent.FeatureLevelRaised(2)));
    cluster.setting("cluster.remote.east.seeds", "127.0.0.1:1");
    AutoFollowPattern pattern =
        new AutoFollowPattern(
            "east", List.of("books"), List.of(), null, Map.of(), null, true, Set.of());
    cluster.change(
        state -> state.apply(new ClusterEvent.AutoFollowChanged(Map.of("all", pattern))));
    followed.start();
    FakeTail tail = awaitTail(0);
    assertThat(tail.followed)
        .isEqualTo(
            new FollowedCluster(new RemoteSettings("east", List.of("127.0.0.1:1")), List.of()));

    tail.shows(leaders("3"));

    eventually(() ->
        assertThat(cluster.commands())
            .anyMatch(command ->
                command instanceof ClusterCommand.CreateIndex create
                    && create.name().equals("books")));
    cluster.change(state ->
        state.apply(new ClusterEvent.AutoFollowChanged(Map.of("all", pattern.asActive(false)))));
    eventually(() -> assertThat(tail.closed).isTrue());
  }

  private void followSilentCluster() {
    cluster.setting("cluster.remote.silent.seeds", "127.0.0.1:9");
    cluster.index("far", 1);
    cluster.change(state ->
        state.apply(
            new ClusterEvent.FollowChanged(
                "far-uuid", new FollowRelation("silent", "films", "films-uuid", null, 1))));
  }

  @Test
  void aClusterThatDoesNotAnswerDelaysNoOtherOne() throws Exception {
    followSilentCluster();
    follow();
    opening.await();

    awaitTail(0).shows(leaders("3"));

    eventually(() ->
        assertThat(cluster.commands()).anyMatch(ClusterCommand.UpdateFollower.class::isInstance));
    answers.countDown();
    assertThat(awaitTail(1).followed.alias()).isEqualTo("silent");
  }

  @Test
  void aTailThatOpensWhenItIsNoLongerNeededIsClosed() throws Exception {
    followSilentCluster();
    follow();
    opening.await();
    awaitTail(0);

    cluster.change(state -> state.apply(new ClusterEvent.FollowChanged("far-uuid", null)));
    answers.countDown();

    eventually(() ->
        assertThat(tails)
            .filteredOn(tail -> tail.followed.alias().equals("silent"))
            .allMatch(tail -> tail.closed));
  }

  @Test
  void aFollowerWhoseLeaderIsNamedByASkippedEventIsStopped() {
    follow();
    FakeTail tail = awaitTail(0);
    tail.skipped = Map.of("books-uuid", "an unknown event");

    tail.shows(leaders("3"));

    eventually(() ->
        assertThat(cluster.commands())
            .contains(
                new ClusterCommand.StopFollower("copy-uuid", "books-uuid", "an unknown event")));
  }

  @Test
  void allFollowersOfAClusterWhoseLogCannotBeReadAreStopped() {
    follow();
    FakeTail tail = awaitTail(0);
    tail.unreadable = Optional.of("an unknown snapshot");

    tail.lose();

    eventually(() ->
        assertThat(cluster.commands())
            .contains(
                new ClusterCommand.StopFollower("copy-uuid", "books-uuid", "an unknown snapshot")));
  }

  @Test
  void copiesAreReopenedAfterAStaticSettingHasChanged() {
    follow();
    cluster.change(state ->
        state.apply(
            new ClusterEvent.FollowStatusChanged(
                "copy-uuid", FollowStatus.NEW.withCopiesToReopen(List.of("gone")))));

    eventually(
        () -> assertThat(cluster.commands()).contains(new ClusterCommand.ReopenCopy("copy-uuid")));
  }

  @Test
  void aFollowerThatWasReplacedIsDeletedAfterAPause() {
    follow();
    cluster.index("next", 1);
    cluster.change(state ->
        state
            .apply(
                new ClusterEvent.FollowChanged(
                    "next-uuid", Replacement.begin("copy-uuid", FOLLOW, "books-uuid")))
            .apply(new ClusterEvent.FollowerReplaced("copy-uuid", "next-uuid")));

    eventually(() ->
        assertThat(cluster.commands()).contains(new ClusterCommand.EndReplacement("copy-uuid")));
  }

  @Test
  void aSuccessorThatIsStartedTakesItsPlace() {
    follow();
    cluster.index("next", 1);
    cluster.change(state ->
        state.apply(
            new ClusterEvent.FollowChanged(
                "next-uuid", Replacement.begin("copy-uuid", FOLLOW, "books-uuid"))));

    eventually(() ->
        assertThat(cluster.commands()).contains(new ClusterCommand.EndReplacement("next-uuid")));
  }
}
