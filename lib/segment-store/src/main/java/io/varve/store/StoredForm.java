package io.varve.store;

import io.varve.events.SegmentFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a segment file is stored: compressed if that saves at least an eighth,
 * otherwise as is. A store needs the length before the bytes, so a compressed file is read twice
 * instead of being buffered in memory or on disk.
 *
 * @param frames {@code null} if stored as is
 */
record StoredForm(SegmentFile file, Path path, @Nullable FrameTable frames) {

  /**
   * @param packs whether compression is allowed
   * @throws IOException also if the file's content has changed
   */
  static StoredForm of(SegmentFile file, Path path, boolean packs) throws IOException {
    StoredForm plain = new StoredForm(file, path, null);
    if (!packs || file.lengthBytes() < WireCompression.LEAST_BYTES || !sampleGains(file, path)) {
      return plain;
    }
    try (InputStream content = plain.open()) {
      FrameTable frames = PackedStream.measure(content);
      long gained = file.lengthBytes() - frames.packedBytes();
      return gained >= file.lengthBytes() / 8 ? new StoredForm(file, path, frames) : plain;
    }
  }

  private static boolean sampleGains(SegmentFile file, Path path) throws IOException {
    long from = WireCompression.sampleFrom(file.lengthBytes());
    try (InputStream in = FileRange.open(path, from, WireCompression.SAMPLE_BYTES)) {
      return WireCompression.gains(in.readAllBytes());
    }
  }

  boolean isPacked() {
    return frames != null;
  }

  @Nullable Long packedBytes() {
    return frames == null ? null : frames.packedBytes();
  }

  /** The length in the store. */
  long storedBytes() {
    return frames == null ? file.lengthBytes() : frames.packedBytes();
  }

  InputStream open() throws IOException {
    InputStream plain = new CheckedFile(Files.newInputStream(path), file);
    return frames == null ? plain : new PackedStream(plain, frames);
  }
}
