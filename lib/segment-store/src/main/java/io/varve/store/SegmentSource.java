package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.io.InputStream;

/** A source of segment files. Its bytes are not trusted: the reader verifies them. */
@FunctionalInterface
public interface SegmentSource {

  /**
   * Opens the bytes {@code [fromByte, fromByte + length)} of a file. The stream may end early.
   *
   * @throws SourceGoneException if the source does not have the file and never will
   * @throws IOException if the source is unreachable now
   */
  InputStream open(SegmentFile file, long fromByte, long length) throws IOException;
}
