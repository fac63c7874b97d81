package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeartbeatsTest {

  @TempDir private Path data;

  @Test
  void heartbeatsDoNotWaitForTheVirtualThreadsOfCopies() throws Exception {
    CompletableFuture<Boolean> onVirtualThread = new CompletableFuture<>();
    try (NodeWorld world = new NodeWorld(data);
        Heartbeats heartbeats =
            new Heartbeats(
                world.node("n1"),
                "http://127.0.0.1:1",
                nanos -> {
                  onVirtualThread.complete(Thread.currentThread().isVirtual());
                  LockSupport.parkNanos(nanos);
                })) {
      heartbeats.start();

      assertThat(onVirtualThread.get(2, TimeUnit.MINUTES)).isFalse();
    }
  }
}
