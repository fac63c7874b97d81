package io.varve.process;

/** A monotonic clock; only differences of its values are meaningful. */
@FunctionalInterface
public interface Ticker {

  /** The clock of this process. */
  Ticker SYSTEM = System::nanoTime;

  long nanos();
}
