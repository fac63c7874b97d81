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
 * What a node keeps in memory of the values of fields: the terms of a text by document, the global
 * ordinals of keywords. It is made when a search first asks for it, charged to a breaker while it
 * is made, and goes with the segment or the reader that it was made of, or when it is cleared.
 *
 * <p>INVARIANT: what is kept of a field is in the figures of its copy, and what is gone is not.
 */
public final class FielddataMemory {

  /** Makes what is kept; charges its memory before it takes it. */
  @FunctionalInterface
  public interface Making<T> {
    T make(MemoryAccount account) throws IOException;
  }

  /**
   * @param kind what of the field is kept: one owner may have several
   */
  private record Key(IndexReader.CacheKey owner, String field, Class<?> kind) {}

  /** A place for one value; whoever comes while it is made waits for it. */
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

  /** One without a bound. */
  public static FielddataMemory unbounded() {
    return new FielddataMemory(MemoryBreaker.unbounded());
  }

  /** What is known of {@code field} in that segment or reader, or is made now. */
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
      // It went while we waited for it: whoever made it failed, or all was cleared.
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
                  // It is given back when the value goes.
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

  /** Forgets what is kept of the reader and its segments, of the fields that are meant. */
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
      // The owner stays known: it is listened to already.
      ofOwner
          .entrySet()
          .removeIf(entry -> fields.test(entry.getKey().field) && dropped.add(entry.getValue()));
    }
  }

  /** As {@code _nodes/stats} shows it. */
  public Map<String, Object> figures() {
    return breaker.figures();
  }
}
