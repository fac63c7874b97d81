package io.varve.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** Calls end at their timeouts, with as few checks as possible. */
class CallTimeoutsTest {

  private record Check(long atNanos, Runnable check) {}

  private long now = -5;
  private final PriorityQueue<Check> scheduled =
      new PriorityQueue<>((a, b) -> Long.compare(a.atNanos, b.atNanos));
  private final List<String> ended = new ArrayList<>();
  private final CallTimeouts timeouts =
      new CallTimeouts((delay, check) -> scheduled.add(new Check(now + delay, check)), () -> now);

  private CallTimeouts.Call call(String name, long timeoutNanos) {
    return timeouts.begin(Duration.ofNanos(timeoutNanos), () -> ended.add(name));
  }

  private void passes(long nanos) {
    long end = now + nanos;
    while (!scheduled.isEmpty() && scheduled.peek().atNanos <= end) {
      Check next = scheduled.remove();
      now = Math.max(now, next.atNanos);
      next.check.run();
    }
    now = end;
  }

  @Test
  void aCallEndsAtItsTimeoutAndOnce() {
    call("a", 100);

    passes(99);
    assertThat(ended).isEmpty();

    passes(1);
    passes(1_000);
    assertThat(ended).containsExactly("a");
    assertThat(scheduled).isEmpty();
  }

  @Test
  void aCallThatWasClosedIsNotEnded() {
    call("a", 100).close();

    passes(1_000);

    assertThat(ended).isEmpty();
    assertThat(scheduled).isEmpty();
  }

  @Test
  void manyShortCallsShareOneCheck() {
    for (int i = 0; i < 1_000; i++) {
      call("short", 10_000).close();
      passes(1);
    }

    assertThat(scheduled).hasSize(1);
    assertThat(ended).isEmpty();
  }

  @Test
  void aCallIsCheckedAfterTheCallForWhichTheCheckWasScheduledHasGone() {
    call("gone", 100).close();
    passes(50);
    call("b", 100);

    passes(99);
    assertThat(ended).isEmpty();

    passes(1);
    assertThat(ended).containsExactly("b");
  }

  @Test
  void aShorterTimeoutIsCheckedBeforeALongerOne() {
    call("long", 1_000);
    call("short", 10);
    call("middle", 100);

    passes(10);
    assertThat(ended).containsExactly("short");
    passes(90);
    assertThat(ended).containsExactly("short", "middle");
    passes(900);
    assertThat(ended).containsExactly("short", "middle", "long");
    assertThat(scheduled).isEmpty();
  }

  @Test
  void anUnlimitedTimeoutNeverEnds() {
    timeouts.begin(Duration.ofNanos(Long.MAX_VALUE), () -> ended.add("never"));

    passes(Long.MAX_VALUE / 4);

    assertThat(ended).isEmpty();
  }
}
