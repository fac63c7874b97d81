package io.varve.events;

/**
 * The range of feature levels that a process supports.
 *
 * <p>A feature level is an integer. A release that adds a format (an event of the cluster log, a
 * command, a kind of record, a field of a manifest, a flag of a binary body) adds one level, which
 * becomes its newest. A cluster operates at one level and writes nothing of a higher level, so each
 * of its processes can read what the others write. {@link Feature} lists the additions by level.
 */
public record FeatureLevels(int min, int max) {

  /** The level of everything that predates feature levels. */
  public static final int FIRST = 1;

  /** The newest level of this release, used by new clusters. */
  public static final int NEWEST = 3;

  public static final FeatureLevels OF_THIS_RELEASE = new FeatureLevels(FIRST, NEWEST);

  /** For readers that skip what they don't know. */
  public static final FeatureLevels ALL = new FeatureLevels(FIRST, Integer.MAX_VALUE);

  /** Levels of a process that announces none: its release predates feature levels. */
  public static final FeatureLevels UNSAID = new FeatureLevels(FIRST, FIRST);

  public FeatureLevels {
    if (min < FIRST || max < min) {
      throw new IllegalArgumentException(
          "feature levels are min >= " + FIRST + " and max >= min, were " + min + ", " + max);
    }
  }

  public boolean contain(int level) {
    return min <= level && level <= max;
  }

  /** For error messages: {@code level 1} or {@code levels 1 to 2}. */
  @Override
  public String toString() {
    return min == max ? "level " + min : "levels " + min + " to " + max;
  }
}
