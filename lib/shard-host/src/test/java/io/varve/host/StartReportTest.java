package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.events.Feature;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster state changes during each look of the copy at what it must show. */
class StartReportTest {

  private static final Goal.Copy REPLICA = new Goal.Copy("copy-1", false, 0, false, false);
  private static final Goal.Copy REPORTED = new Goal.Copy("copy-1", false, 0, false, true);

  @TempDir Path folder;
  private final List<ClusterCalls.CopyStarted> reports = new ArrayList<>();
  private final Deque<Boolean> shown = new ArrayDeque<>();
  private final Deque<Runnable> checks = new ArrayDeque<>();
  private final AtomicInteger checked = new AtomicInteger();
  private NodeWorld world;
  private StartReport report;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    NodeContext node = world.node("n1", new RefusingLeader());
    report =
        new StartReport(
            node,
            NodeWorld.SHARD,
            new LeaderReports(node, NodeWorld.SHARD),
            checks::add,
            checked::incrementAndGet);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private final class RefusingLeader extends UnexpectedCalls {
    @Override
    public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
      reports.add(news);
      throw new ApiException(409, "illegal_state_exception", "on purpose");
    }
  }

  private ShardCopy copy() {
    return (ShardCopy)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ShardCopy.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "primary", "strong" -> false;
                  case "fork" -> Optional.empty();
                  case "showNewest" -> {
                    var _ = happens();
                    yield shown.remove();
                  }
                  default -> throw new AssertionError(method);
                });
  }

  private long happens() {
    return world.happened(new ClusterEvent.IndexDeleted("unknown"));
  }

  private long raise(int level) {
    return world.happened(new ClusterEvent.FeatureLevelRaised(level));
  }

  private void look(Goal.Copy assignment, boolean shows) {
    shown.add(shows);
    assertThat(report.of(assignment, copy())).isEqualTo(StartReport.UNTIL_CHECKED);
    checks.remove().run();
    var _ = report.of(assignment, copy());
  }

  @Test
  void aReportNamesTheVersionThatWasKnownBeforeTheFirstLook() {
    long known = raise(Feature.MEMBER_SINCE.since());
    look(REPLICA, false);
    look(REPLICA, false);
    assertThat(reports).isEmpty();

    look(REPLICA, true);

    assertThat(reports).extracting(ClusterCalls.CopyStarted::provenFrom).containsExactly(known);
  }

  @Test
  void aRefusedReportIsRepeatedWithWhatIsProvenSince() {
    long first = raise(Feature.MEMBER_SINCE.since());
    look(REPLICA, true);
    long second = happens();
    look(REPLICA, false);
    look(REPLICA, true);

    assertThat(reports)
        .extracting(ClusterCalls.CopyStarted::provenFrom)
        .containsExactly(first, second);
  }

  @Test
  void anotherOpeningOfTheSameCopyIsProvenAnew() {
    raise(Feature.MEMBER_SINCE.since());
    look(REPLICA, false);
    long known = happens();
    report.opened();

    look(REPLICA, true);

    assertThat(reports).extracting(ClusterCalls.CopyStarted::provenFrom).containsExactly(known);
  }

  @Test
  void aCopyOfWhichAFormerOpeningIsReportedIsProvenWithoutAnotherReport() {
    look(REPLICA, true);
    assertThat(report.isProven()).isTrue();
    report.opened();
    assertThat(report.isProven()).isFalse();

    look(REPORTED, false);
    assertThat(report.isProven()).isFalse();
    look(REPORTED, true);

    assertThat(report.isProven()).isTrue();
    assertThat(reports).hasSize(1);
  }

  @Test
  void thePlaceIsFreeDuringACheckAndIsCalledAtItsEnd() {
    shown.add(true);
    assertThat(report.of(REPLICA, copy())).isEqualTo(StartReport.UNTIL_CHECKED);
    assertThat(report.of(REPORTED, copy())).isEqualTo(StartReport.UNTIL_CHECKED);
    assertThat(checks).hasSize(1);
    assertThat(checked).hasValue(0);

    checks.remove().run();

    assertThat(checked).hasValue(1);
    assertThat(report.isProven()).isFalse();
    assertThat(report.of(REPORTED, copy())).isZero();
    assertThat(report.isProven()).isTrue();
  }

  @Test
  void theOutcomeOfACheckCountsOnlyForTheOpeningThatBeganIt() {
    shown.add(true);
    var _ = report.of(REPLICA, copy());
    report.opened();
    var _ = report.of(REPLICA, copy());

    checks.remove().run();
    assertThat(report.of(REPLICA, copy())).isEqualTo(StartReport.UNTIL_CHECKED);
    assertThat(report.isProven()).isFalse();

    shown.add(true);
    checks.remove().run();
    var _ = report.of(REPLICA, copy());
    assertThat(report.isProven()).isTrue();
    assertThat(reports).hasSize(1);
  }

  @Test
  void aCheckThatFailsIsRepeated() {
    var _ = report.of(REPLICA, copy());
    // The copy fails: the test has not told it what to answer.
    checks.remove().run();
    assertThat(report.of(REPLICA, copy())).isEqualTo(100);

    look(REPLICA, true);

    assertThat(reports).hasSize(1);
  }

  @Test
  void anErrorOfACheckIsThrownToThePlace() {
    ShardCopy failing =
        (ShardCopy)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ShardCopy.class},
                (_, _, _) -> {
                  throw new StackOverflowError("on purpose");
                });
    var _ = report.of(REPLICA, failing);
    checks.remove().run();

    assertThatThrownBy(() -> report.of(REPLICA, failing)).isInstanceOf(StackOverflowError.class);
  }

  @Test
  void belowItsLevelNoVersionIsNamed() {
    raise(Feature.MEMBER_SINCE.since() - 1);
    look(REPLICA, true);
    assertThat(reports).extracting(ClusterCalls.CopyStarted::provenFrom).containsOnlyNulls();

    raise(Feature.MEMBER_SINCE.since());
    look(REPLICA, true);

    assertThat(reports.getLast().provenFrom()).isNotNull();
  }
}
