package io.varve.codec;

import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.util.Optional;

/**
 * Whether the native library is there. It is looked for when zstd is needed first; a process that
 * lacks it reads and writes segments of the other codecs as ever.
 */
final class NativeZstd {

  /** Read once: what can't be loaded at first can't be loaded later. */
  private static final class Loaded {
    static final Optional<String> MISSING = missing(Native::load);
  }

  private NativeZstd() {}

  /** Why it can't be used; empty when it can. */
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
      throw new IOException(what + " is by zstd, and " + missing.get());
    }
  }
}
