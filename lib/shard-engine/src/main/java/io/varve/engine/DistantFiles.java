package io.varve.engine;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads files of a manifest, wherever they are just now. Safe to share between threads. */
@FunctionalInterface
public interface DistantFiles {

  /**
   * Reads as many bytes of the file as there is room for.
   *
   * @throws IOException nobody who has it answers; whoever reads fails, the reader stays
   */
  void read(SegmentFile file, long position, ByteBuffer into) throws IOException;
}
