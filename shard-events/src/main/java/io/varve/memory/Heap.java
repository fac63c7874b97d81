package io.varve.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The heap of a process. */
public interface Heap {

  /** Bytes in use, those of garbage among them. */
  long usedBytes();

  /** Collects the garbage; returns when that is done. */
  void collect();

  /** The heap of this process. */
  static Heap ofThisProcess() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    return new Heap() {
      @Override
      public long usedBytes() {
        return memory.getHeapMemoryUsage().getUsed();
      }

      @Override
      public void collect() {
        memory.gc();
      }
    };
  }
}
