package io.varve.engine;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads files of a manifest from wherever they currently are. Thread-safe. */
@FunctionalInterface
public interface RemoteFiles {

  /**
   * Reads as many bytes as the buffer has room for.
   *
   * @throws IOException if no source of the file answers; the read fails, but the reader stays
   *     usable
   */
  void read(SegmentFile file, long position, ByteBuffer into) throws IOException;
}
