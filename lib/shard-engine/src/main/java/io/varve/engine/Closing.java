package io.varve.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.index.IndexReader;

/** Releases readers where checked exceptions can't be thrown. */
final class Closing {

  private Closing() {}

  static void release(IndexReader reader) {
    try {
      reader.decRef();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
