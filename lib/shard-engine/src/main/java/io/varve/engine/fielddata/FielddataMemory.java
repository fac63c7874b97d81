package io.varve.engine.fielddata;

import io.varve.engine.SearchMeters;
import io.varve.engine.search.aggregation.MemoryAccount;
import io.varve.engine.search.aggregation.MemoryBreaker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/**
 * The fielddata cache of a node: terms by document of text fields, global ordinals of keywords. A
 * value is loaded when a search first needs it, charged to a breaker while it is loaded, and
 * removed with the segment or reader from which it was built, or by a clear request.
 *
 * <p>INVARIANT: the statistics of a copy count exactly the cached values.
 */
public final class FielddataMemory {

  /** Loads a value; charges its memory before allocating it. */
  @FunctionalInterface
  public interface Making<T> {
    T make(MemoryAccount account) throws IOException;
  }

  /**
   * @param kind of the value: one owner may have several for a field
   */
  private record Key(IndexReader.CacheKey owner, String field, Class<?> kind) {}

  /** An entry of the cache; concurrent requests wait while it is loaded. */
  private static final class Slot {
    private final MemoryAccount account;
    private final String field;
    private final SearchMeters meters;
    private @Nullable Object value;
    private long sizeBytes;
    private boolean gone;

    Slot(MemoryAccount account, String field, SearchMeters meters) {
      this.account = account;
      this.field = field;
      this.meters = meters;
    }

    synchronized void drop() {
      if (!gone) {
        gone = true;
        account.close();
        meters.fielddata(field, -sizeBytes);
      }
    }
  }

  private final MemoryBreaker breaker;
  private final Map<IndexReader.CacheKey, Map<Key, Slot>> slots = new HashMap<>();

  public FielddataMemory(MemoryBreaker breaker) {
    this.breaker = breaker;
  }

  /** A cache without a limit. */
  public static FielddataMemory unbounded() {
    return new FielddataMemory(MemoryBreaker.unbounded());
  }

  /** The cached value for {@code field}, loaded if absent. */
  public <T> T of(
      IndexReader.@Nullable CacheHelper owner,
      String field,
      Class<T> kind,
      SearchMeters meters,
      Making<T> making)
      throws IOException {
    if (owner == null) {
      try (MemoryAccount account = breaker.open()) {
        return making.make(account);
      }
    }
    Key key = new Key(owner.getKey(), field, kind);
    while (true) {
      Slot slot = slot(owner, key, meters);
      synchronized (slot) {
        if (slot.value == null && !slot.gone) {
          slot.value = made(key, slot, making);
        }
        if (slot.value != null) {
          return kind.cast(slot.value);
        }
      }
      // The entry was removed while waiting: loading failed, or the cache was cleared. Retry.
    }
  }

  private <T> T made(Key key, Slot slot, Making<T> making) throws IOException {
    boolean done = false;
    try {
      T value =
          making.make(
              new MemoryAccount() {
                @Override
                public void charge(long bytes) {
                  slot.account.charge(bytes);
                  slot.sizeBytes += bytes;
                }

                @Override
                public <V> V allocate(long bytes, Supplier<V> allocation) {
                  V value = slot.account.allocate(bytes, allocation);
                  slot.sizeBytes += bytes;
                  return value;
                }

                @Override
                public void close() {
                  // Charged memory is released when the value is removed.
                }
              });
      slot.meters.fielddata(slot.field, slot.sizeBytes);
      done = true;
      return value;
    } finally {
      if (!done) {
        slot.gone = true;
        slot.account.close();
        forget(key, slot);
      }
    }
  }

  private Slot slot(IndexReader.CacheHelper owner, Key key, SearchMeters meters) {
    boolean first;
    Slot slot;
    synchronized (slots) {
      first = !slots.containsKey(key.owner);
      slot =
          slots
              .computeIfAbsent(key.owner, _ -> new HashMap<>())
              .computeIfAbsent(key, _ -> new Slot(breaker.open(), key.field, meters));
    }
    if (first) {
      owner.addClosedListener(this::closed);
    }
    return slot;
  }

  private void forget(Key key, Slot slot) {
    synchronized (slots) {
      Map<Key, Slot> ofOwner = slots.get(key.owner);
      if (ofOwner != null) {
        ofOwner.remove(key, slot);
      }
    }
  }

  private void closed(IndexReader.CacheKey owner) {
    Map<Key, Slot> ofOwner;
    synchronized (slots) {
      ofOwner = slots.remove(owner);
    }
    if (ofOwner != null) {
      ofOwner.values().forEach(Slot::drop);
    }
  }

  /** Removes the entries of the reader and its segments for the selected fields. */
  public void clear(IndexReader reader, Predicate<String> fields) {
    List<Slot> dropped = new ArrayList<>();
    synchronized (slots) {
      clear(reader.getReaderCacheHelper(), fields, dropped);
      for (LeafReaderContext leaf : reader.leaves()) {
        clear(leaf.reader().getCoreCacheHelper(), fields, dropped);
      }
    }
    dropped.forEach(Slot::drop);
  }

  private void clear(
      IndexReader.@Nullable CacheHelper owner, Predicate<String> fields, List<Slot> dropped) {
    Map<Key, Slot> ofOwner = owner == null ? null : slots.get(owner.getKey());
    if (ofOwner != null) {
      // The owner stays registered, since its close listener is installed already.
      ofOwner
          .entrySet()
          .removeIf(entry -> fields.test(entry.getKey().field) && dropped.add(entry.getValue()));
    }
  }

  /** The cache's entry in {@code _nodes/stats}. */
  public Map<String, Object> stats() {
    return breaker.stats();
  }
}
