package io.varve.host.search;

import io.varve.engine.CacheCounters;
import io.varve.search.ShardSearchResult;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.lucene.index.IndexReader;
import org.jspecify.annotations.Nullable;

/**
 * Cache of search responses, which are reused as long as the same reader would produce the same
 * response.
 *
 * <p>An entry belongs to one reader, one version of the mapping and the exact bytes of one request.
 * It is removed with its reader, or as the least recently used entry when the cache is full.
 */
public final class RequestCache {

  private static final long OVERHEAD_BYTES = 200;

  private record Key(IndexReader.CacheKey reader, long mappingVersion, Bytes request) {}

  @SuppressWarnings("ArrayRecordComponent")
  private record Bytes(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Bytes(byte[] others) && Arrays.equals(bytes, others);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  private record Kept(ShardSearchResult result, long sizeBytes, CacheCounters tally) {}

  private final LongSupplier limitBytes;
  private final Map<Key, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<IndexReader.CacheKey> watched = new HashSet<>();
  private long sizeBytes;

  public RequestCache(LongSupplier limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The key of one search's answer. */
  final class Place {
    private final IndexReader.CacheHelper reader;
    private final Key key;
    private final CacheCounters tally;

    private Place(IndexReader.CacheHelper reader, Key key, CacheCounters tally) {
      this.reader = reader;
      this.key = key;
      this.tally = tally;
    }

    @Nullable ShardSearchResult find() {
      return lookUp(key, tally);
    }

    /** A response that is incomplete, or larger than the whole cache, is not kept. */
    void keep(byte[] answer) {
      long size = (long) key.request.bytes.length + answer.length + OVERHEAD_BYTES;
      if (size > limitBytes.getAsLong()) {
        return;
      }
      ShardSearchResult result = ShardSearchResult.fromBytes(answer);
      if (result.cut() == ShardSearchResult.Cut.NOTHING) {
        add(this, new Kept(result, size, tally));
      }
    }
  }

  /** Null if the reader has no cache key. */
  @Nullable Place place(
      IndexReader reader, long mappingVersion, byte[] request, CacheCounters tally) {
    IndexReader.CacheHelper helper = reader.getReaderCacheHelper();
    return helper == null
        ? null
        : new Place(helper, new Key(helper.getKey(), mappingVersion, new Bytes(request)), tally);
  }

  private synchronized @Nullable ShardSearchResult lookUp(Key key, CacheCounters tally) {
    Kept found = kept.get(key);
    if (found == null) {
      tally.missed();
      return null;
    }
    tally.hit();
    return found.result;
  }

  private void add(Place place, Kept answer) {
    long limit = limitBytes.getAsLong();
    if (answer.sizeBytes > limit) {
      return;
    }
    boolean first;
    synchronized (this) {
      first = watched.add(place.key.reader);
      remove(place.key);
      kept.put(place.key, answer);
      sizeBytes += answer.sizeBytes;
      answer.tally.added(answer.sizeBytes);
      makeRoom(limit);
    }
    if (first) {
      place.reader.addClosedListener(this::closed);
    }
  }

  private void makeRoom(long limit) {
    for (Iterator<Map.Entry<Key, Kept>> eldest = kept.entrySet().iterator();
        sizeBytes > limit && eldest.hasNext(); ) {
      Kept gone = eldest.next().getValue();
      eldest.remove();
      sizeBytes -= gone.sizeBytes;
      gone.tally.removed(1, gone.sizeBytes);
    }
  }

  private void remove(Key key) {
    Kept gone = kept.remove(key);
    if (gone != null) {
      sizeBytes -= gone.sizeBytes;
      gone.tally.removed(1, gone.sizeBytes);
    }
  }

  private synchronized void closed(IndexReader.CacheKey reader) {
    watched.remove(reader);
    forget(reader);
  }

  /** Removes the entries of this reader. */
  synchronized void clear(IndexReader reader) {
    IndexReader.CacheHelper helper = reader.getReaderCacheHelper();
    if (helper != null) {
      forget(helper.getKey());
    }
  }

  private void forget(IndexReader.CacheKey reader) {
    kept.entrySet()
        .removeIf(entry -> {
          if (!entry.getKey().reader.equals(reader)) {
            return false;
          }
          sizeBytes -= entry.getValue().sizeBytes;
          entry.getValue().tally.removed(1, entry.getValue().sizeBytes);
          return true;
        });
  }
}
