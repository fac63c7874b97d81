package io.varve.codec;

import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.util.Optional;

/**
 * Loads the native zstd library on first use. A process that can't load it still reads and writes
 * segments of the other codecs.
 */
final class NativeZstd {

  /** Loads the library at most once, even if that fails. */
  private static final class Loaded {
    static final Optional<String> MISSING = missing(Native::load);
  }

  private NativeZstd() {}

  /** The reason why the library is not available; empty if it is. */
  static Optional<String> missing() {
    return Loaded.MISSING;
  }

  static Optional<String> missing(Runnable load) {
    try {
      load.run();
      return Optional.empty();
    } catch (LinkageError | RuntimeException e) {
      return Optional.of(
          "the native library of zstd can't be loaded on this machine: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  static void require(String what) throws IOException {
    Optional<String> missing = missing();
    if (missing.isPresent()) {
      throw new IOException(what + " is compressed with zstd, and " + missing.get());
    }
  }
}
