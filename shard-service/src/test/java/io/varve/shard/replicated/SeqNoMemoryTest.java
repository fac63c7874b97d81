package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.varve.rpc.HoldsWire.Version;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The memory of what a primary knows: at most one bit per operation and 1 MB for each shard. It is
 * measured as the bytes that a copy of a set allocates, and the keys that a copy shares.
 */
class SeqNoMemoryTest {

  private static final int OPERATIONS = 20_000_000;
  private static final long MEGABYTE = 1 << 20;

  /** Begin and end of an interval are objects that a copy of the set shares. */
  private static final long SHARED_BYTES_PER_INTERVAL = 2 * 24;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static long bytes(SeqNoSet set) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    SeqNoSet copy = set.copy();
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(copy.highest()).isEqualTo(set.highest());
    return allocated + set.intervals() * SHARED_BYTES_PER_INTERVAL;
  }

  @Test
  void fewIntervalsCostLessThanHalfAMegabyte() {
    SeqNoSet set = new SeqNoSet();
    for (int i = 1; i <= SeqNoSet.MOST_INTERVALS; i++) {
      set.add(1_000L * i, 1_000L * i);
    }
    assertThat(set.intervals()).isEqualTo(SeqNoSet.MOST_INTERVALS);
    assertThat(bytes(set)).isLessThan(MEGABYTE / 2);
  }

  @Test
  void recordsThatAreConfirmedInAnyOrderCostOneBitPerOperation() {
    Random random = new Random(42);
    SeqNoSet set = new SeqNoSet();
    long most = 0;
    for (int i = 0; i < 1_000_000; i++) {
      int seqNo = random.nextInt(OPERATIONS);
      set.add(seqNo, seqNo);
      if (i % 100_000 == 0) {
        most = Math.max(most, bytes(set));
      }
    }
    assertThat(Math.max(most, bytes(set))).isLessThan(OPERATIONS / 8 + MEGABYTE / 2);

    set.add(0, OPERATIONS);
    assertThat(bytes(set)).as("a prefix is one number").isLessThan(1_000);
  }

  @Test
  void recordsThatWereNotConfirmedInTimeAreNotKeptBelowTheBaseNorOnceTheyAreReplicated() {
    KnownRecords records = new KnownRecords(OPERATIONS);
    for (int i = 0; i < 10 * SeqNoSet.MOST_INTERVALS; i++) {
      records.late(2L * i, 2L * i);
    }
    assertThat(records.hasUnknown()).isTrue();
    records.prove(0, OPERATIONS - 1);
    assertThat(records.hasUnknown()).as("nothing is kept of them").isFalse();

    records.late(OPERATIONS, OPERATIONS + 9);
    assertThat(records.isUnknown(Version.of("d", OPERATIONS + 5L, 1))).isTrue();
    records.prove(OPERATIONS, OPERATIONS + 9);
    assertThat(records.hasUnknown()).isFalse();
  }
}
