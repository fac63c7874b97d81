package io.varve.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/** Access to the heap of a process. */
public interface Heap {

  /** Bytes in use, garbage included. */
  long usedBytes();

  /**
   * The size of the largest object that fits: heap generations have separate limits, and an object
   * is in one of them.
   */
  default long roomForOneBytes() {
    return Long.MAX_VALUE;
  }

  /** Runs a garbage collection and returns when it is complete. */
  void collect();

  /** The heap of this process. */
  static Heap ofThisProcess() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    List<MemoryPoolMXBean> pools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            // Objects are never allocated in survivor spaces.
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
          // A young generation is not expanded for a single object.
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
