package io.varve.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/** The heap of a process. */
public interface Heap {

  /** Bytes in use, those of garbage among them. */
  long usedBytes();

  /**
   * How large one object may be: the generations of a heap have bounds of their own, and an object
   * is in one of them.
   */
  default long roomForOneBytes() {
    return Long.MAX_VALUE;
  }

  /** Collects the garbage; returns when that is done. */
  void collect();

  /** The heap of this process. */
  static Heap ofThisProcess() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    List<MemoryPoolMXBean> pools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            // Nothing is allocated in a survivor space.
            .filter(pool -> !pool.getName().contains("Survivor"))
            .toList();
    return new Heap() {
      @Override
      public long usedBytes() {
        return memory.getHeapMemoryUsage().getUsed();
      }

      @Override
      public long roomForOneBytes() {
        long most = 0;
        for (MemoryPoolMXBean pool : pools) {
          MemoryUsage usage = pool.getUsage();
          if (usage.getMax() < 0) {
            continue;
          }
          // A young generation is not extended for the sake of one object.
          long size = pool.isUsageThresholdSupported() ? usage.getMax() : usage.getCommitted();
          most = Math.max(most, size - usage.getUsed());
        }
        return most;
      }

      @Override
      public void collect() {
        memory.gc();
      }
    };
  }
}
