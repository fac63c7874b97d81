package io.varve.host.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.stats.NodeReport;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One worker, and a queue for two waiting searches. */
class SearchPoolTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final AtomicLong now = new AtomicLong();
  private final SearchPool pool = new SearchPool(new SearchPool.Size(1, 2), now::get);
  private final NodeTasks tasks = new NodeTasks(InstantSource.system());
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch busy = new CountDownLatch(1);
  private final NodeReport report = new NodeReport(Path.of("."), InstantSource.system());

  @BeforeEach
  void show() {
    pool.shownAs(report.pools().of("search"));
  }

  @AfterEach
  void close() {
    busy.countDown();
    callers.shutdownNow();
    pool.close();
  }

  private SearchTurn turn(String attempt, long patienceMillis) {
    return pool.turn(
        tasks.begin("search", "task", attempt, ""),
        new SearchHeaders.Caller("task", attempt, 0, patienceMillis, 10),
        now.get());
  }

  private Future<String> ask(SearchTurn turn, String answer) {
    return callers.submit(() -> pool.run(turn, () -> answer));
  }

  private Future<String> occupy() {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    Future<String> first =
        callers.submit(() ->
            pool.run(
                turn("first", 0),
                () -> {
                  begun.complete(null);
                  busy.await();
                  return "first";
                }));
    begun.join();
    return first;
  }

  private List<Future<String>> fill() {
    List<Future<String>> waiting = new ArrayList<>();
    for (String name : List.of("second", "third")) {
      waiting.add(ask(turn(name, 0), name));
      // The load counts a search slightly before it is in the queue.
      await().atMost(PATIENCE).until(() -> queued() == waiting.size());
    }
    return waiting;
  }

  private long queued() {
    return (long) report.read().number(-1, "thread_pool", "search", "queue");
  }

  private static void assertRefusal(ThrowingCallable call, int status, String type, String says) {
    assertThatThrownBy(call)
        .asInstanceOf(type(ApiException.class))
        .satisfies(refused -> {
          ErrorBody error = refused.error();
          assertThat(error.status()).isEqualTo(status);
          assertThat(error.type()).isEqualTo(type);
          assertThat(error.reason()).contains(says);
        });
  }

  @Test
  void whatIsOneTooManyIsRefusedAndNotBegun() throws Exception {
    Future<String> first = occupy();
    List<Future<String>> waiting = fill();
    AtomicBoolean begun = new AtomicBoolean();

    assertRefusal(
        () ->
            pool.run(
                turn("fourth", 0),
                () -> {
                  begun.set(true);
                  return "fourth";
                }),
        429,
        "rejected_execution_exception",
        "queue capacity = 2, pool size = 1");

    assertThat(pool.rejections()).isEqualTo(1);
    busy.countDown();
    assertThat(first.get()).isEqualTo("first");
    assertThat(waiting.get(0).get()).isEqualTo("second");
    assertThat(waiting.get(1).get()).isEqualTo("third");
    assertThat(begun).isFalse();
  }

  @Test
  void itSaysWhatWaitsAndWhatRuns() throws Exception {
    Future<String> first = occupy();
    fill();

    assertThat(pool.load().queueSize()).isEqualTo(2);
    assertThat(pool.load().running()).isEqualTo(1);
    assertThat(pool.load().workers()).isEqualTo(1);

    busy.countDown();
    assertThat(first.get()).isEqualTo("first");
    await().atMost(PATIENCE).until(() -> pool.load().inFlight() == 0);
  }

  @Test
  void anAttemptThatIsCancelledLeavesTheQueueAtOnce() {
    var _ = occupy();
    List<Future<String>> waiting = fill();

    tasks.cancel("second");

    await().atMost(PATIENCE).until(() -> pool.load().queueSize() == 1);
    assertThatThrownBy(waiting.getFirst()::get)
        .cause()
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> assertThat(e.error().type()).isEqualTo("task_cancelled_exception"));
    assertThat(pool.cancellations()).isEqualTo(1);
  }

  @Test
  void anAttemptThatWasCancelledBeforeItCameIsNotBegun() {
    tasks.cancel("early");

    assertRefusal(
        () -> pool.run(turn("early", 0), () -> "answer"),
        400,
        "task_cancelled_exception",
        "cancelled");
  }

  @Test
  void whatHasWaitedLongerThanItsCallerDoesIsNotBegun() {
    var _ = occupy();
    Future<String> late = ask(turn("late", 1), "late");
    await().atMost(PATIENCE).until(() -> pool.load().queueSize() == 1);

    now.addAndGet(1_000_001);
    busy.countDown();

    assertThatThrownBy(late::get)
        .cause()
        .asInstanceOf(type(ApiException.class))
        .satisfies(e -> assertThat(e.error().status()).isEqualTo(504));
    assertThat(pool.expirations()).isEqualTo(1);
  }

  @Test
  void whatStopsAsItsCallerHasGoneOnIsLateAndNotCancelled() {
    SearchTurn late = turn("late", 5);

    assertThatThrownBy(() ->
            pool.run(
                late,
                () -> {
                  now.addAndGet(TimeUnit.MILLISECONDS.toNanos(6));
                  throw new ApiException(400, "task_cancelled_exception", "stopped");
                }))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(504);
              assertThat(e.error().type()).isEqualTo("receive_timeout_transport_exception");
              assertThat(e.error().reason()).contains("6 ms", "waits for 5 ms");
            });
  }

  @Test
  void whatFailsIsNotMeasured() throws Exception {
    SearchTurn failing = turn("fails", 0);
    assertThatThrownBy(() ->
            pool.run(
                failing,
                () -> {
                  failing.counts();
                  now.addAndGet(5);
                  throw new IllegalStateException("broken");
                }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(pool.load().serviceTimeEwmaNanos()).isZero();
    assertThat(failing.tookNanos()).isEqualTo(-1);

    SearchTurn done = turn("done", 0);
    String answer =
        pool.run(
            done,
            () -> {
              done.counts();
              now.addAndGet(20);
              return "done";
            });
    assertThat(answer).isEqualTo("done");
    assertThat(done.tookNanos()).isEqualTo(20);
    assertThat(pool.load().serviceTimeEwmaNanos()).isEqualTo(2);
    assertThat(pool.load().slowness().factor()).isEqualTo(2);
  }

  @Test
  void whatIsAnsweredFromMemoryIsNotMeasured() throws Exception {
    SearchTurn known = turn("known", 0);

    assertThat(pool.run(known, () -> "known")).isEqualTo("known");

    assertThat(known.tookNanos()).isEqualTo(-1);
    assertThat(pool.load().slowness().known()).isFalse();
  }

  @Test
  void whatIsCancelledWhileItRunsIsKnownToTakeLonger() throws Exception {
    SearchTurn usual = turn("usual", 0);
    assertThat(pool.run(usual, () -> counted(usual, 10))).isEqualTo("done");

    SearchTurn slow = turn("slow", 0);
    assertThatThrownBy(() ->
            pool.run(
                slow,
                () -> {
                  String begun = counted(slow, 15);
                  tasks.cancel("slow");
                  throw new IllegalStateException(begun + " and stopped");
                }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(pool.load().slowness().factor()).isGreaterThan(1);
    assertThat(pool.load().slowness().trust()).isEqualTo(1);
  }

  private String counted(SearchTurn turn, long nanos) {
    turn.counts();
    now.addAndGet(nanos);
    return "done";
  }

  @Test
  void theTablesShowItsBoundsAndItsLoad() {
    var _ = occupy();
    fill();

    assertThat(report.read().info("thread_pool").get("search"))
        .isEqualTo(Map.of("type", "resizable", "size", 1, "queue_size", 2));
    assertThat(report.read().number(-1, "thread_pool", "search", "queue")).isEqualTo(2);
    assertThat(report.read().number(-1, "thread_pool", "search", "active")).isEqualTo(1);
    assertThat(report.read().number(-1, "thread_pool", "search", "rejected")).isEqualTo(0);
    assertThat(report.read().number(-1, "thread_pool", "search", "total_wait_time_in_nanos"))
        .isNotNegative();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1001, 1", "1, 0", "1, 1000001"})
  void boundsThatMakeNoSenseAreRefused(int workers, int queue) {
    assertThatThrownBy(() -> new SearchPool.Size(workers, queue))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("thread_pool.search.");
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 4", "4, 7", "8, 13"})
  void usuallyHalfAsManyAgainAsThereAreProcessorsSearchAndOne(int processors, int workers) {
    assertThat(SearchPool.Size.usualWorkers(processors)).isEqualTo(workers);
  }
}
