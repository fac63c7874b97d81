package io.varve.engine.version;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is known of ids beyond what the look-up reader shows.
 *
 * <p>Layers, newest first: <em>in flight</em> (appended, not yet applied), <em>recent</em> (applied
 * since the last refresh began), <em>old</em> (applied before it, until it is done; more than one
 * after a refresh that failed). An id in none of them is as the reader says.
 *
 * <p>INVARIANTS: an operation enters recent after it is in the writer and before it leaves in
 * flight; {@link #afterRefresh} is called after the new reader took the old one's place. So whoever
 * looks in flight, recent, old and reader, in this order, never misses the newest.
 */
public final class VersionMap {

  private static final int MOST_EXPECTED = 1 << 16;

  private static final class Generation {
    final Map<String, DocumentState> states;
    final LongAdder sizeBytes = new LongAdder();

    Generation(int expected) {
      states = new ConcurrentHashMap<>(expected);
    }
  }

  private record Layers(Generation recent, List<Generation> old) {}

  private final ConcurrentHashMap<String, DocumentState> inFlight = new ConcurrentHashMap<>();
  private final ReentrantLock waiting = new ReentrantLock();
  private final Condition landed = waiting.newCondition();
  private volatile int waiters;
  private volatile Layers layers = new Layers(new Generation(16), List.of());

  /** The newest, in flight or applied; {@code null} if the reader has it. */
  public @Nullable DocumentState newest(String id) {
    DocumentState state = inFlight.get(id);
    return state == null ? applied(id) : state;
  }

  /** The newest that is applied; {@code null} if the reader has it. */
  public @Nullable DocumentState applied(String id) {
    Layers now = layers;
    DocumentState state = now.recent.states.get(id);
    for (int i = 0; state == null && i < now.old.size(); i++) {
      state = now.old.get(i).states.get(id);
    }
    return state;
  }

  public void appended(String id, DocumentState state) {
    inFlight.put(id, state);
  }

  /** The operation is in the writer. */
  public void applied(String id, DocumentState state) {
    Generation recent = layers.recent;
    DocumentState before = recent.states.put(id, state);
    recent.sizeBytes.add(state.sizeBytes(id) - (before == null ? 0 : before.sizeBytes(id)));
    settled(id, state.seqNo());
  }

  /** The operation is applied, now or earlier, and no longer in flight. */
  public void settled(String id, long seqNo) {
    DocumentState flying = inFlight.get(id);
    if (flying != null && flying.seqNo() <= seqNo) {
      inFlight.remove(id, flying);
      wakeWaiters();
    }
  }

  /** What is in flight will not be applied. */
  public void resetInFlight() {
    inFlight.clear();
    wakeWaiters();
  }

  /**
   * Waits until what is in flight for {@code id} now is applied.
   *
   * @return whether it was, in time
   */
  public boolean awaitApplied(String id, long timeoutMillis) throws InterruptedException {
    DocumentState flying = inFlight.get(id);
    return flying == null || awaitLanded(id, flying.seqNo(), timeoutMillis);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only changed under the lock
  private boolean awaitLanded(String id, long seqNo, long timeoutMillis)
      throws InterruptedException {
    long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    waiting.lock();
    try {
      waiters++;
      while (isInFlightUpTo(id, seqNo)) {
        if (nanos <= 0) {
          return false;
        }
        nanos = landed.awaitNanos(nanos);
      }
      return true;
    } finally {
      waiters--;
      waiting.unlock();
    }
  }

  private boolean isInFlightUpTo(String id, long seqNo) {
    DocumentState flying = inFlight.get(id);
    // A newer operation of the same id took its place: then the applied one tells how far it is.
    if (flying == null) {
      return false;
    }
    DocumentState applied = applied(id);
    return flying.seqNo() <= seqNo || applied == null || applied.seqNo() < seqNo;
  }

  private void wakeWaiters() {
    if (waiters > 0) {
      waiting.lock();
      try {
        landed.signalAll();
      } finally {
        waiting.unlock();
      }
    }
  }

  public void beforeRefresh() {
    Layers now = layers;
    List<Generation> old = new ArrayList<>(now.old.size() + 1);
    old.add(now.recent);
    old.addAll(now.old);
    // The next is likely to grow as large as this one: growing step by step would cost more.
    int expected = Math.min(now.recent.states.size(), MOST_EXPECTED);
    layers = new Layers(new Generation(expected), old);
  }

  public void afterRefresh() {
    layers = new Layers(layers.recent, List.of());
  }

  /** Memory taken by what is applied and not yet refreshed. */
  public long sizeBytes() {
    Layers now = layers;
    long size = now.recent.sizeBytes.sum();
    for (Generation old : now.old) {
      size += old.sizeBytes.sum();
    }
    return size;
  }
}
