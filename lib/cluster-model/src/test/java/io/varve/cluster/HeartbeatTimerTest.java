package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatTimerTest {

  private final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();

  private Thread next() throws InterruptedException {
    Thread thread = threads.poll(2, TimeUnit.MINUTES);
    assertThat(thread).as("a heartbeat").isNotNull();
    return thread;
  }

  @Test
  void membersShareAThreadThatDoesNotWaitForVirtualThreads() throws Exception {
    try (HeartbeatTimer first = new HeartbeatTimer();
        HeartbeatTimer second = new HeartbeatTimer()) {
      first.start(() -> threads.add(Thread.currentThread()), 3_600_000);
      Thread ofFirst = next();
      second.start(() -> threads.add(Thread.currentThread()), 3_600_000);

      assertThat(next()).isSameAs(ofFirst);
      assertThat(ofFirst.isVirtual()).isFalse();
    }
  }

  @Test
  void aClosedMemberDoesNotEndTheHeartbeatsOfOthers() throws Exception {
    try (HeartbeatTimer staying = new HeartbeatTimer()) {
      HeartbeatTimer leaving = new HeartbeatTimer();
      leaving.start(() -> {}, 1);
      leaving.close();
      leaving.start(() -> threads.add(Thread.ofVirtual().unstarted(() -> {})), 1);
      staying.start(() -> threads.add(Thread.currentThread()), 1);

      for (int beats = 0; beats < 3; beats++) {
        assertThat(next().isVirtual()).as("a heartbeat of the closed member").isFalse();
      }
    }
  }

  @Test
  void afterAFailedHeartbeatTheNextOneIsSent() throws Exception {
    try (HeartbeatTimer timer = new HeartbeatTimer()) {
      timer.start(
          () -> {
            threads.add(Thread.currentThread());
            throw new IllegalStateException("on purpose");
          },
          1);

      next();
      next();
    }
  }
}
