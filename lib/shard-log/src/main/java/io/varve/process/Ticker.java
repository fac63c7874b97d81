package io.varve.process;

/** A clock that never goes back and whose values mean something as differences alone. */
@FunctionalInterface
public interface Ticker {

  /** The clock of this process. */
  Ticker SYSTEM = System::nanoTime;

  long nanos();
}
