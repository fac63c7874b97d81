package io.varve.engine.source;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/**
 * Which shapes documents had of late. A shape is worth its place in a segment when it comes again:
 * of documents that are all different the shapes would take as much as the documents.
 *
 * <p>One place for each hash; a newer shape takes it. Safe to share: who comes too late sees a
 * shape as new once more.
 */
final class SeenShapes {

  private static final int PLACES = 4096;

  private final AtomicIntegerArray hashes = new AtomicIntegerArray(PLACES);

  /** Whether the shape was seen before; from now on it is. */
  boolean add(BytesRef shape) {
    int hash = StringHelper.murmurhash3_x86_32(shape, 17) | 1;
    int place = (hash >>> 1) & (PLACES - 1);
    return hashes.getAndSet(place, hash) == hash;
  }
}
