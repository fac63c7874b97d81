package io.varve.codec;

import java.util.List;

/**
 * How stored fields are compressed with zstd: the meaning of the settings {@code index.codec} and
 * {@code index.codec.compression_level}.
 *
 * <p>Each level is smaller and takes longer to fetch than the one before. They are not the levels
 * of zstd, which do not shrink steadily at these block sizes (1 is often smaller than 3):
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

    /** Its name in settings. */
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

  /** Blocks of the highest level are so large that a dictionary would not help. */
  boolean usesDictionary() {
    return mode == Mode.ZSTD && level < HIGHEST;
  }
}
