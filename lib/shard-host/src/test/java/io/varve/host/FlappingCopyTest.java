package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.process.Ticker;
import io.varve.rpc.ClusterCalls;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each copy starts successfully and fails soon afterwards; the leader grants all requests. Pauses
 * are recorded, not waited for.
 */
class FlappingCopyTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final AtomicInteger opened = new AtomicInteger();
  private final List<Long> pausesMillis = new CopyOnWriteArrayList<>();
  private final Leader leader = new Leader();
  private volatile ShardCopy.State end = ShardCopy.State.FAILED;
  private volatile @Nullable Error errorOfOpening;
  private volatile @Nullable Error errorOfClosing;
  private volatile boolean leaderIsConfused;
  private NodeWorld world;
  private HostedCopy hosted;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
  }

  @AfterEach
  void close() throws Exception {
    leader.end();
    assertThat(hosted.awaitEnd(LONG)).isTrue();
    world.close();
  }

  private static Goal.Copy goal(long term) {
    return new Goal.Copy("copy-1", term > 0, term, false, true);
  }

  private void host(Goal goal) {
    NodeContext node = world.node("n1", leader);
    hosted =
        new HostedCopy(
            node,
            NodeWorld.SHARD,
            goal,
            (_, _, _) -> copy(),
            new ProgressPublisher(node.log(), node.topics(), node.timer(), Ticker.SYSTEM),
            new Suspicions(),
            new IgnoringWatcher(),
            new Setbacks(node.clock(), this::recordPause));
    hosted.start();
  }

  private long recordPause(int setbacks) {
    pausesMillis.add(Setbacks.pauseMillis(setbacks));
    return 0;
  }

  private ShardCopy copy() {
    opened.incrementAndGet();
    if (errorOfOpening != null) {
      throw errorOfOpening;
    }
    return (ShardCopy)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ShardCopy.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "state" -> end;
                  case "primary", "strong" -> false;
                  case "showNewest" -> true;
                  case "damage", "fork" -> Optional.empty();
                  case "close" -> {
                    if (errorOfClosing != null) {
                      throw errorOfClosing;
                    }
                    yield null;
                  }
                  default -> null;
                });
  }

  private final class Leader extends UnexpectedCalls {

    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();

    private boolean ended;

    /** Sets the last goal of the copy; no term is assigned after that. */
    synchronized void end() {
      ended = true;
      hosted.want(new Goal.Nothing(false));
    }

    @Override
    public synchronized long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
      asked.incrementAndGet();
      if (!ended) {
        hosted.want(goal(request.lastTerm() + 1));
      }
      return 1;
    }

    @Override
    public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
      if (leaderIsConfused) {
        leaderIsConfused = false;
        throw new IllegalStateException("on purpose");
      }
      hosted.want(new Goal.Nothing(false));
      return failed.incrementAndGet();
    }
  }

  @Test
  void aPrimaryThatFailsSoonAfterEachStartIsGivenUpAfterSome() {
    host(goal(1));

    await().atMost(LONG).until(() -> leader.failed.get() == 1);
    assertThat(opened).hasValue(Setbacks.REPORT_FAILURE_AFTER);
    assertThat(leader.asked).hasValue(Setbacks.REPORT_FAILURE_AFTER - 1);
    assertThat(pausesMillis).startsWith(200L, 400L, 800L, 1_600L);
  }

  @Test
  void aReplicaThatFailsSoonAfterEachStartIsReportedAfterSome() {
    host(goal(0));

    await().atMost(LONG).until(() -> leader.failed.get() == 1);
    assertThat(opened).hasValue(Setbacks.REPORT_FAILURE_AFTER);
    assertThat(pausesMillis).startsWith(200L, 400L, 800L, 1_600L);
  }

  @Test
  void aPrimaryWhoseGateClosesAgainAndAgainAsksEverLaterAndIsNotGivenUp() {
    end = ShardCopy.State.GATE_CLOSED;
    host(goal(1));

    int enough = Setbacks.REPORT_FAILURE_AFTER;
    await().atMost(LONG).until(() -> leader.asked.get() >= enough);
    assertThat(leader.failed).hasValue(0);
    assertThat(pausesMillis).startsWith(200L, 400L, 800L, 1_600L);
  }

  @Test
  void anErrorOfTheOpeningOrOfTheLeadersAnswerEndsNoPlace() {
    errorOfOpening = new StackOverflowError("on purpose");
    leaderIsConfused = true;
    host(goal(0));

    await().atMost(LONG).until(() -> leader.failed.get() == 1);
    assertThat(opened).hasValueGreaterThan(Setbacks.REPORT_FAILURE_AFTER);
  }

  @Test
  void aCopyWhoseClosingEndsInAnErrorIsReplacedAllTheSame() {
    errorOfClosing = new InternalError("on purpose");
    host(goal(0));

    await().atMost(LONG).until(() -> opened.get() > 1);
  }
}
