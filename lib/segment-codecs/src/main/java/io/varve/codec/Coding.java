package io.varve.codec;

import java.util.List;

/**
 * The compression of stored fields with zstd, which the settings {@code index.codec} and {@code
 * index.codec.compression_level} determine.
 *
 * <p>With each level, stored fields are smaller and fetching a document takes longer than with the
 * previous level. These are not the levels of zstd: at these block sizes, a higher level of zstd
 * does not always compress better (the output of level 1 is often smaller than that of level 3).
 *
 * <pre>
 *   level   zstd              zstd_no_dict
 *     1     zstd 3,   8 KB    zstd 3,  16 KB
 *     2     zstd 3,  12 KB    zstd 3,  32 KB
 *     3     zstd 3,  16 KB    zstd 3,  48 KB
 *     4     zstd 3,  32 KB    zstd 3,  96 KB
 *     5     zstd 3,  64 KB    zstd 3, 192 KB
 *     6     zstd 6, 480 KB    zstd 6, 480 KB
 * </pre>
 */
public record Coding(Mode mode, int level) {

  public static final int LOWEST = 1;
  public static final int HIGHEST = 6;
  public static final int USUAL = 3;

  /** With or without a dictionary per segment. */
  public enum Mode {
    ZSTD("zstd", 8, 12, 16, 32, 64, 480),
    ZSTD_NO_DICT("zstd_no_dict", 16, 32, 48, 96, 192, 480);

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker")
    private final List<Integer> blockKilobytes;

    Mode(String label, Integer... blockKilobytes) {
      this.label = label;
      this.blockKilobytes = List.of(blockKilobytes);
    }

    /** The name of the mode in settings. */
    public String label() {
      return label;
    }

    static Mode of(String label) {
      for (Mode mode : values()) {
        if (mode.label.equals(label)) {
          return mode;
        }
      }
      throw new IllegalArgumentException("unknown mode of stored fields: " + label);
    }
  }

  public Coding {
    if (level < LOWEST || level > HIGHEST) {
      throw new IllegalArgumentException(
          "level must be " + LOWEST + " to " + HIGHEST + ", was " + level);
    }
  }

  int blockBytes() {
    return mode.blockKilobytes.get(level - 1) * 1024;
  }

  int zstdLevel() {
    return level == HIGHEST ? 6 : 3;
  }

  /**
   * Whether segments get a dictionary. Blocks of the highest level are so large that a dictionary
   * would not help.
   */
  boolean usesDictionary() {
    return mode == Mode.ZSTD && level < HIGHEST;
  }
}
