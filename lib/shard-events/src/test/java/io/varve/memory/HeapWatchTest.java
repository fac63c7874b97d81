package io.varve.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeapWatchTest {

  private static final long LIMIT = 950;

  /** A heap with a scripted collection time and live size. */
  private static final class FakeHeap implements Heap {
    private long nowNanos;
    private long live;
    private long garbage;
    private long roomForOne = Long.MAX_VALUE;
    private int collections;

    @Override
    public long roomForOneBytes() {
      return roomForOne;
    }

    @Override
    public long usedBytes() {
      return live + garbage;
    }

    @Override
    public void collect() {
      collections++;
      garbage = 0;
      pass(200);
    }

    void pass(long millis) {
      nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  private final FakeHeap heap = new FakeHeap();
  private final HeapWatch watch = new HeapWatch(heap, () -> heap.nowNanos);

  private boolean hasRoom(long bytes) {
    return watch.usedFor(bytes, LIMIT) + bytes <= LIMIT;
  }

  @Test
  void collectsNothingWhileThereIsRoom() {
    heap.live = 500;
    heap.garbage = 400;
    assertThat(hasRoom(50)).isTrue();
    assertThat(heap.collections).isZero();
  }

  @Test
  void doesNotMistakeGarbageForMemoryInUse() {
    heap.live = 500;
    heap.garbage = 460;
    assertThat(hasRoom(0)).isTrue();
    assertThat(heap.collections).isEqualTo(1);
  }

  @Test
  void hasNoRoomWhenTheMemoryIsReallyInUse() {
    heap.live = 940;
    heap.garbage = 30;
    assertThat(hasRoom(0)).isTrue();
    assertThat(hasRoom(11)).isFalse();
  }

  @Test
  void asksForNoSecondCollectionUntilTheFirstHasPaid() {
    heap.live = 951;
    assertThat(hasRoom(0)).isFalse();
    heap.pass(1_999);
    assertThat(hasRoom(0)).isFalse();
    assertThat(heap.collections).isEqualTo(1);
    heap.pass(1);
    heap.live = 600;
    heap.garbage = 351;
    assertThat(hasRoom(0)).isTrue();
    assertThat(heap.collections).isEqualTo(2);
  }

  @Test
  void collectsSoonerWhenMuchWasAllocatedSince() {
    heap.live = 600;
    heap.garbage = 351;
    assertThat(hasRoom(0)).isTrue();
    heap.garbage = 351;
    heap.pass(599);
    assertThat(hasRoom(0)).isFalse();
    heap.pass(1);
    assertThat(hasRoom(0)).isTrue();
    assertThat(heap.collections).isEqualTo(2);
  }

  @Test
  void hasNoRoomForAnObjectThatFitsIntoNoGeneration() {
    long limit = 400L << 20;
    heap.live = 100L << 20;
    heap.roomForOne = 90L << 20;
    assertThat(watch.usedFor(80L << 20, limit)).isEqualTo(heap.live);
    assertThat(watch.usedFor(100L << 20, limit) + (100L << 20)).isGreaterThan(limit);
    assertThat(heap.collections).isEqualTo(1);
  }

  @Test
  void seesThatTheCollectorHasMadeRoomByItself() {
    heap.live = 951;
    assertThat(hasRoom(0)).isFalse();
    heap.live = 400;
    assertThat(hasRoom(100)).isTrue();
    assertThat(heap.collections).isEqualTo(1);
  }

  @Test
  void aWantThatExceedsAnyLimitHasNoRoom() {
    heap.live = 100;
    assertThat(watch.usedFor(Long.MAX_VALUE, LIMIT)).isEqualTo(100);
    assertThat(heap.collections).isEqualTo(1);
  }
}
