package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.io.InputStream;

/**
 * Where the bytes of segment files come from. What it gives is not trusted: the reader verifies.
 */
@FunctionalInterface
public interface SegmentSource {

  /**
   * The bytes {@code [fromByte, fromByte + length)} of a file. The stream may end early: a break.
   *
   * @throws SourceGoneException it doesn't hold the file and never will
   * @throws IOException it can't be reached now
   */
  InputStream open(SegmentFile file, long fromByte, long length) throws IOException;
}
