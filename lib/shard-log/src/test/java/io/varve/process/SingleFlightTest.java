package io.varve.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The test itself ends each run. */
class SingleFlightTest {

  private final List<CompletableFuture<Integer>> runs = new ArrayList<>();
  private final SingleFlight<Integer> flight = new SingleFlight<>(this::begin);

  private CompletableFuture<Integer> begin() {
    CompletableFuture<Integer> run = new CompletableFuture<>();
    runs.add(run);
    return run;
  }

  @Test
  void callersDuringARunShareTheNextOne() {
    CompletableFuture<Integer> first = flight.run();
    CompletableFuture<Integer> second = flight.run();
    CompletableFuture<Integer> third = flight.run();
    assertThat(runs).hasSize(1);

    runs.getFirst().complete(1);
    assertThat(first).isCompletedWithValue(1);
    assertThat(second).isNotDone();
    assertThat(runs).hasSize(2);

    runs.get(1).complete(2);
    assertThat(second).isCompletedWithValue(2);
    assertThat(third).isCompletedWithValue(2);
    assertThat(flight.isIdle()).isTrue();
  }

  @Test
  void aFailedRunFailsItsOwnCallersOnly() {
    CompletableFuture<Integer> first = flight.run();
    CompletableFuture<Integer> second = flight.run();
    runs.getFirst().completeExceptionally(new IllegalStateException("no log"));

    assertThat(first).isCompletedExceptionally();
    runs.get(1).complete(2);
    assertThat(second).isCompletedWithValue(2);
  }

  @Test
  void aTaskThatThrowsFreesTheGate() {
    assertFreed(() -> {
      throw new IllegalStateException("not open yet");
    });
  }

  @Test
  void aRejectedTaskFreesTheGate() {
    assertFreed(() -> {
      throw new RejectedExecutionException("closing");
    });
  }

  @Test
  void aTaskThatEndsWithAnErrorFreesTheGate() {
    assertFreed(() -> {
      throw new StackOverflowError();
    });
  }

  private void assertFreed(Supplier<CompletableFuture<Integer>> failing) {
    List<Supplier<CompletableFuture<Integer>>> tasks =
        new ArrayList<>(List.of(failing, this::begin));
    SingleFlight<Integer> gate = new SingleFlight<>(() -> tasks.removeFirst().get());

    assertThat(gate.run()).isCompletedExceptionally();
    assertThat(gate.isIdle()).isTrue();

    CompletableFuture<Integer> after = gate.run();
    runs.getFirst().complete(7);
    assertThat(after).isCompletedWithValue(7);
  }

  @Test
  void runsThatEndAtOnceNeedNoStack() {
    int[] left = {100_000};
    List<SingleFlight<Integer>> self = new ArrayList<>();
    SingleFlight<Integer> endless =
        new SingleFlight<>(() -> {
          if (--left[0] > 0) {
            var _ = self.getFirst().run();
          }
          return CompletableFuture.completedFuture(left[0]);
        });
    self.add(endless);

    assertThat(endless.run()).isCompletedWithValue(99_999);
    assertThat(endless.isIdle()).isTrue();
    assertThat(left[0]).isZero();
  }

  @Test
  void aCallFromTheEndOfARunBeginsAnother() {
    CompletableFuture<Integer> again = new CompletableFuture<>();
    var _ = flight.run().thenCompose(_ -> flight.run()).thenAccept(again::complete);
    runs.getFirst().complete(1);
    runs.get(1).complete(2);
    assertThat(again).isCompletedWithValue(2);
  }
}
