package io.varve.cluster.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.stats.HotThreadsQuery.Kind;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HotThreadsTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final long MILLI = 1_000_000;

  private static SeenThread platform(long id, String name, String state, String... stack) {
    return new SeenThread(id, name, false, state, List.of(stack), null);
  }

  private static SeenThread mounted(long id, String name, long carrier, String... stack) {
    return new SeenThread(id, name, true, "RUNNABLE", List.of(stack), carrier);
  }

  private static String render(
      Kind kind, int threads, Map<Long, Long> cpu, List<List<SeenThread>> dumps) {
    HotThreadsQuery query = new HotThreadsQuery(threads, 500, dumps.size(), kind, true);
    return new HotThreads(query, 500 * MILLI, dumps).render(NOW, cpu);
  }

  @Test
  void showsTheThreadsThatUsedMostCpuWithTheStacksTheyShare() {
    SeenThread busy = platform(1, "search-1", "RUNNABLE", "a.A.run(A.java:1)", "a.B.run(B.java:2)");
    SeenThread once = platform(1, "search-1", "RUNNABLE", "a.C.run(C.java:1)");
    SeenThread lazy = platform(2, "other", "RUNNABLE", "a.D.run(D.java:1)");

    assertThat(
            render(
                Kind.CPU,
                1,
                Map.of(1L, 250 * MILLI, 2L, 10 * MILLI),
                List.of(List.of(busy, lazy), List.of(once, lazy), List.of(busy, lazy))))
        .isEqualTo(
            """
            Hot threads at 2023-11-14T22:13:20Z, interval=500ms, busiestThreads=1, ignoreIdleThreads=true:

             50.0% (250.0ms out of 500.0ms) cpu usage by thread 'search-1'
              2/3 snapshots sharing following 2 elements
                a.A.run(A.java:1)
                a.B.run(B.java:2)
              unique snapshot
                a.C.run(C.java:1)
            """);
  }

  @Test
  void showsTheVirtualThreadsThatACarrierRan() {
    SeenThread carrier = platform(9, "worker-1", "RUNNABLE", "x.Continuation.run(X.java:1)");
    SeenThread virtual = mounted(30, "jetty-7", 9, "a.Handler.run(Handler.java:3)");

    assertThat(
            render(
                Kind.CPU,
                3,
                Map.of(9L, 500 * MILLI),
                List.of(List.of(carrier, virtual), List.of(carrier, virtual))))
        .contains("cpu usage by thread 'worker-1'")
        .contains("2/2 snapshots of virtual thread 'jetty-7' sharing following 1 elements")
        .contains("a.Handler.run")
        .doesNotContain("Continuation");
  }

  @Test
  void showsTheThreadsThatWaitedInMostSnapshots() {
    SeenThread waits =
        platform(1, "waiter", "WAITING", "java.base/java.lang.Object.wait0(Native Method)");
    SeenThread runs = platform(1, "waiter", "RUNNABLE", "a.A.run(A.java:1)");
    SeenThread blocked = platform(2, "blocked", "BLOCKED", "a.B.run(B.java:1)");
    List<List<SeenThread>> dumps = List.of(List.of(waits, blocked), List.of(runs, blocked));

    assertThat(render(Kind.WAIT, 3, Map.of(), dumps))
        .contains(" 50.0% (250.0ms out of 500.0ms) wait usage by thread 'waiter'")
        .doesNotContain("'blocked'");
    assertThat(render(Kind.BLOCK, 3, Map.of(), dumps))
        .contains("100.0% (500.0ms out of 500.0ms) block usage by thread 'blocked'")
        .doesNotContain("'waiter'");
  }

  @Test
  void leavesOutThreadsThatOnlyWaitForWork() {
    SeenThread idle =
        platform(
            1,
            "pool-1",
            "WAITING",
            "java.base/jdk.internal.misc.Unsafe.park(Native Method)",
            "java.base/java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1)");
    assertThat(render(Kind.WAIT, 3, Map.of(), List.of(List.of(idle)))).doesNotContain("pool-1");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 500, 10",
    "1001, 500, 10",
    "3, 0, 10",
    "3, 60001, 10",
    "3, 500, 0",
    "3, 500, 101"
  })
  void refusesWhatIsOutOfRange(int threads, long interval, int snapshots) {
    assertThatThrownBy(() -> new HotThreadsQuery(threads, interval, snapshots, Kind.CPU, true))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("must be between 1 and");
  }

  @Test
  void readsTheParametersThatItWrites() {
    HotThreadsQuery query = new HotThreadsQuery(7, 20, 3, Kind.BLOCK, false);
    Map<String, String> parameters =
        List.of(query.toParameters().split("&", -1)).stream()
            .map(pair -> pair.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    assertThat(HotThreadsQuery.of(parameters::get)).isEqualTo(query);
    assertThatThrownBy(() -> HotThreadsQuery.of(_ -> null)).isInstanceOf(ApiException.class);
  }

  @Test
  void dumpsAreTakenAtEqualStepsOfTheIntervalHoweverLongEachTakes() throws Exception {
    AtomicLong nowNanos = new AtomicLong();
    List<Duration> pauses = new ArrayList<>();
    HotThreadsSampler sampler =
        new HotThreadsSampler(
            InstantSource.fixed(Instant.EPOCH),
            nowNanos::get,
            time -> {
              pauses.add(time);
              Duration dump = Duration.ofMillis(10);
              nowNanos.addAndGet(time.plus(dump).toNanos());
            });

    String shown = sampler.sample(new HotThreadsQuery(3, 200, 4, Kind.CPU, true));

    assertThat(pauses)
        .containsExactly(
            Duration.ofMillis(50),
            Duration.ofMillis(40),
            Duration.ofMillis(40),
            Duration.ofMillis(40));
    assertThat(shown).contains("1970-01-01T00:00:00");
  }

  @Test
  void findsAVirtualThreadThatSpins() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong turns = new AtomicLong();
    Thread spinner = Thread.ofVirtual().start(() -> spin(turns, stop));
    try {
      // From its first turn on it stays mounted, because it never yields.
      awaitTurns(turns);
      assertThat(
              new HotThreadsSampler(
                      InstantSource.system(), System::nanoTime, _ -> awaitTurns(turns))
                  .sample(new HotThreadsQuery(1000, 200, 4, Kind.CPU, true)))
          .contains("of virtual thread '#" + spinner.threadId() + "'")
          .contains("HotThreadsTest.spin");
    } finally {
      stop.set(true);
      spinner.join();
    }
  }

  private static void spin(AtomicLong turns, AtomicBoolean stop) {
    while (!stop.get()) {
      turns.incrementAndGet();
      Thread.onSpinWait();
    }
  }

  /** Returns once the spinning thread has used the processor, however long it waits for one. */
  private static void awaitTurns(AtomicLong turns) {
    long enough = turns.get() + 100_000;
    while (turns.get() < enough) {
      Thread.onSpinWait();
    }
  }
}
