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
 * Maps ids to document states that are newer than the lookup reader.
 *
 * <p>Layers, newest first: <em>in flight</em> (appended, not yet applied), <em>recent</em> (applied
 * since the last refresh began), <em>old</em> (applied before that, until the refresh is complete;
 * several after a failed refresh). For an id in none of them the reader is current.
 *
 * <p>INVARIANTS: an operation enters recent after it is in the writer and before it leaves in
 * flight; {@link #afterRefresh} is called after the new reader has replaced the old one. A lookup
 * in the order in flight, recent, old, reader therefore never misses the newest state.
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
  private final Condition completed = waiting.newCondition();
  private volatile int waiters;
  private volatile Layers layers = new Layers(new Generation(16), List.of());

  /** The newest state, in flight or applied; {@code null} if the reader has it. */
  public @Nullable DocumentState newest(String id) {
    DocumentState state = inFlight.get(id);
    return state == null ? applied(id) : state;
  }

  /** The newest applied state; {@code null} if the reader has it. */
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

  /** The operation was applied, now or earlier, and is no longer in flight. */
  public void settled(String id, long seqNo) {
    DocumentState newestInFlight = inFlight.get(id);
    if (newestInFlight != null && newestInFlight.seqNo() <= seqNo) {
      inFlight.remove(id, newestInFlight);
      signalWaiters();
    }
  }

  /** Drops operations in flight, which will not be applied. */
  public void resetInFlight() {
    inFlight.clear();
    signalWaiters();
  }

  /**
   * Waits until the operation in flight for {@code id} is applied.
   *
   * @return whether it was applied within the timeout
   */
  public boolean awaitApplied(String id, long timeoutMillis) throws InterruptedException {
    DocumentState newestInFlight = inFlight.get(id);
    return newestInFlight == null || awaitNotInFlight(id, newestInFlight.seqNo(), timeoutMillis);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only changed under the lock
  private boolean awaitNotInFlight(String id, long seqNo, long timeoutMillis)
      throws InterruptedException {
    long nanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    waiting.lock();
    try {
      waiters++;
      while (isInFlightUpTo(id, seqNo)) {
        if (nanos <= 0) {
          return false;
        }
        nanos = completed.awaitNanos(nanos);
      }
      return true;
    } finally {
      waiters--;
      waiting.unlock();
    }
  }

  private boolean isInFlightUpTo(String id, long seqNo) {
    DocumentState newestInFlight = inFlight.get(id);
    // A newer operation of the id may have replaced it here, so the applied state is compared too.
    if (newestInFlight == null) {
      return false;
    }
    DocumentState applied = applied(id);
    return newestInFlight.seqNo() <= seqNo || applied == null || applied.seqNo() < seqNo;
  }

  private void signalWaiters() {
    if (waiters > 0) {
      waiting.lock();
      try {
        completed.signalAll();
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
    // Sized like the previous one, since growing step by step would cost more.
    int expected = Math.min(now.recent.states.size(), MOST_EXPECTED);
    layers = new Layers(new Generation(expected), old);
  }

  public void afterRefresh() {
    layers = new Layers(layers.recent, List.of());
  }

  /** Memory used by states applied but not yet refreshed. */
  public long sizeBytes() {
    Layers now = layers;
    long size = now.recent.sizeBytes.sum();
    for (Generation old : now.old) {
      size += old.sizeBytes.sum();
    }
    return size;
  }
}
