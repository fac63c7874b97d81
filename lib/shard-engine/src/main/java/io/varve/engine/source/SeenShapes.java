package io.varve.engine.source;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/**
 * Remembers the shapes of recent documents; a shape is a document's source without the values that
 * fields store. Only a shape that recurs is worth storing in a segment: shapes of entirely
 * different documents would take as much space as the documents.
 *
 * <p>One slot per hash, overwritten by newer shapes. Thread-safe: at worst, a race makes a shape
 * count as new twice.
 */
final class SeenShapes {

  private static final int PLACES = 4096;

  private final AtomicIntegerArray hashes = new AtomicIntegerArray(PLACES);

  /** Records the shape; returns whether it was already known. */
  boolean add(BytesRef shape) {
    int hash = StringHelper.murmurhash3_x86_32(shape, 17) | 1;
    int place = (hash >>> 1) & (PLACES - 1);
    return hashes.getAndSet(place, hash) == hash;
  }
}
