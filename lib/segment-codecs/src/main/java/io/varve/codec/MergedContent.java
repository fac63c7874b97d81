package io.varve.codec;

import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * The uncompressed size of a merge's output. Encoded blocks are counted; the size of copied blocks
 * is estimated from their segments, by the share of live documents.
 */
final class MergedContent {

  static final long UNKNOWN = -1;

  private final boolean copies;
  private final long ofSegments;

  private MergedContent(boolean copies, long ofSegments) {
    this.copies = copies;
    this.ofSegments = ofSegments;
  }

  static MergedContent of(MergeState state, Coding coding) {
    boolean copies = false;
    boolean known = true;
    long sum = 0;
    for (int i = 0; i < state.storedFieldsReaders.length; i++) {
      StoredFieldsReader reader = state.storedFieldsReaders[i];
      if (reader instanceof ZstdFieldsReader ours && ours.written().contentBytes() != UNKNOWN) {
        sum += share(ours.written().contentBytes(), state.liveDocs[i], state.maxDocs[i]);
      } else {
        known = false;
      }
      copies |= reader instanceof ZstdFieldsReader ours && ours.written().coding().equals(coding);
    }
    return new MergedContent(copies, known ? sum : UNKNOWN);
  }

  private static long share(long bytes, @Nullable Bits live, int documents) {
    if (live == null || documents == 0) {
      return bytes;
    }
    long left = 0;
    for (int i = 0; i < documents; i++) {
      left += live.get(i) ? 1 : 0;
    }
    return Math.round(bytes * (left / (double) documents));
  }

  /** {@link #UNKNOWN} if the size of a segment is unknown. */
  long bytes(ContentBytes encoded) {
    return copies ? ofSegments : encoded.sum();
  }
}
