package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.DelegatingLog;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CurrentStateTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  /** Requests for the end of the log; -1 as the answer if the log is unavailable. */
  private final BlockingQueue<CompletableFuture<Long>> requests = new LinkedBlockingQueue<>();

  private final OffsetWatcher position = new OffsetWatcher(0);
  private final CurrentState current =
      new CurrentState(
          new DelegatingLog(new InMemoryMessageLog(Runnable::run, () -> 0).open("cluster", 0)) {
            @Override
            public long endOffset() throws LogException.Unavailable {
              CompletableFuture<Long> answer = new CompletableFuture<>();
              requests.add(answer);
              long end = answer.join();
              if (end < 0) {
                throw new LogException.Unavailable(
                    "on purpose", new IllegalStateException("on purpose"));
              }
              return end;
            }
          },
          position,
          Executors.newVirtualThreadPerTaskExecutor(),
          Ticker.SYSTEM);

  @AfterEach
  void close() {
    current.close();
  }

  private CompletableFuture<Boolean> begin() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return current.await(LONG);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        Thread::startVirtualThread);
  }

  private CompletableFuture<Long> next() throws InterruptedException {
    CompletableFuture<Long> request = requests.poll(1, TimeUnit.MINUTES);
    assertThat(request).isNotNull();
    return request;
  }

  @Test
  void itEndsWhenTheLogIsReadUpToItsEnd() throws Exception {
    CompletableFuture<Boolean> waiting = begin();
    next().complete(7L);
    position.advanceTo(6);
    assertThat(waiting).isNotDone();

    position.advanceTo(7);
    assertThat(waiting.get(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void waitsThatBeginDuringARequestShareTheNextOne() throws Exception {
    CompletableFuture<Long> first = current.end();
    CompletableFuture<Long> underWay = next();
    CompletableFuture<Long> second = current.end();
    assertThat(current.end()).isSameAs(second).isNotSameAs(first);
    assertThat(requests).isEmpty();

    underWay.complete(7L);
    assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo(7);
    next().complete(9L);
    assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo(9);
    assertThat(requests).isEmpty();
  }

  @Test
  void aLogThatDoesNotAnswerTellsNothing() throws Exception {
    CompletableFuture<Boolean> waiting = begin();
    next().complete(-1L);
    assertThat(waiting.get(1, TimeUnit.MINUTES)).isFalse();

    CompletableFuture<Boolean> again = begin();
    next().complete(0L);
    assertThat(again.get(1, TimeUnit.MINUTES)).isTrue();
  }
}
