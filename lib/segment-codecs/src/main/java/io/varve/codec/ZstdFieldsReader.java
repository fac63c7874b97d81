package io.varve.codec;

import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.index.StoredFieldVisitor;
import org.jspecify.annotations.Nullable;

/** Wraps Lucene's reader of chunks and holds the dictionary that the reader needs. */
final class ZstdFieldsReader extends StoredFieldsReader {

  /**
   * The parameters with which the segment was written.
   *
   * @param contentBytes uncompressed size of its blocks; -1 if it was not recorded
   */
  record Written(Coding coding, long contentBytes) {}

  private final StoredFieldsReader chunks;
  private final Written written;
  private final @Nullable SharedDictionary shared;
  private final Check dictionaryCheck;
  private final boolean closesDictionary;
  private boolean closed;

  /** Verifies the integrity of a file. */
  @FunctionalInterface
  interface Check {
    void run() throws IOException;
  }

  ZstdFieldsReader(
      StoredFieldsReader chunks,
      Written written,
      @Nullable SharedDictionary shared,
      Check dictionaryCheck) {
    this(chunks, written, shared, dictionaryCheck, true);
  }

  private ZstdFieldsReader(
      StoredFieldsReader chunks,
      Written written,
      @Nullable SharedDictionary shared,
      Check dictionaryCheck,
      boolean closesDictionary) {
    this.chunks = chunks;
    this.written = written;
    this.shared = shared;
    this.dictionaryCheck = dictionaryCheck;
    this.closesDictionary = closesDictionary;
  }

  Written written() {
    return written;
  }

  @Nullable Dictionary dictionary() {
    return shared == null ? null : shared.dictionary();
  }

  /** The reader that Lucene's writer copies blocks from; a wrapper would prevent that. */
  StoredFieldsReader chunks() {
    return chunks;
  }

  @Override
  public void document(int doc, StoredFieldVisitor visitor) throws IOException {
    chunks.document(doc, visitor);
  }

  @Override
  public void prefetch(int doc) throws IOException {
    chunks.prefetch(doc);
  }

  @Override
  public StoredFieldsReader clone() {
    return new ZstdFieldsReader(chunks.clone(), written, shared, dictionaryCheck, false);
  }

  @Override
  public StoredFieldsReader getMergeInstance() throws IOException {
    return new ZstdFieldsReader(chunks.getMergeInstance(), written, shared, dictionaryCheck, false);
  }

  @Override
  public void finishMerge() throws IOException {
    chunks.finishMerge();
  }

  @Override
  public void checkIntegrity() throws IOException {
    chunks.checkIntegrity();
    dictionaryCheck.run();
  }

  @Override
  public void close() throws IOException {
    try {
      chunks.close();
    } finally {
      if (shared != null && closesDictionary && !closed) {
        shared.close();
      }
      closed = true;
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + chunks + ", dictionary " + dictionary() + ")";
  }
}
