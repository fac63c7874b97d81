package io.varve.events;

/**
 * The feature levels at which a process can work: all from {@code min} to {@code max}.
 *
 * <p>A feature level is a whole number. A release that adds a form (an event of the cluster log, a
 * command, a kind of record, a field of a manifest, a flag of a binary body) adds one level, which
 * is its newest. A cluster is at one level, and nothing of a higher level is written in it, so each
 * of its processes can read all that the others write. {@link Feature} lists what came with which
 * level.
 */
public record FeatureLevels(int min, int max) {

  /** Everything that exists since before there were levels. */
  public static final int FIRST = 1;

  /** The newest level of this release: a new cluster begins with it. */
  public static final int NEWEST = 2;

  public static final FeatureLevels OF_THIS_RELEASE = new FeatureLevels(FIRST, NEWEST);

  /** Of a process that does not say: its release is older than levels are. */
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

  /** For errors: {@code level 1} or {@code levels 1 to 2}. */
  @Override
  public String toString() {
    return min == max ? "level " + min : "levels " + min + " to " + max;
  }
}
