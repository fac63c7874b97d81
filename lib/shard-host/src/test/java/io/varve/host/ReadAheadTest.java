package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadAheadTest {

  private final ReadAhead room = new ReadAhead(100);

  private CompletableFuture<Void> acquire(long bytes) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            room.acquire(bytes);
            done.complete(null);
          } catch (InterruptedException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  @Test
  void whoFindsNoRoomWaitsUntilSomeIsGivenBack() throws Exception {
    room.acquire(60);
    CompletableFuture<Void> second = acquire(60);
    await()
        .atMost(Duration.ofMinutes(1))
        .during(30, TimeUnit.MILLISECONDS)
        .until(() -> !second.isDone());

    room.release(60);

    second.get(60, TimeUnit.SECONDS);
    assertThat(room.bytes()).isEqualTo(60);
  }

  @Test
  void oneThatIsAloneIsNeverHeldUp() throws Exception {
    acquire(1_000).get(60, TimeUnit.SECONDS);
    CompletableFuture<Void> small = acquire(1);

    assertThat(small).isNotDone();
    room.release(1_000);
    small.get(60, TimeUnit.SECONDS);
  }
}
