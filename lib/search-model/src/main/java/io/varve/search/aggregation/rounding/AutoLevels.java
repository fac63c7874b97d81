package io.varve.search.aggregation.rounding;

import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The intervals from which {@code auto_date_histogram} chooses: levels of calendar units, each with
 * allowed multiples. When even the largest multiple of a level would give too many buckets, the
 * next level is used.
 */
public final class AutoLevels {

  /**
   * @param multiples ascending, beginning with 1
   * @param text of the unit in the response
   */
  public record Level(Rounding rounding, long typicalMillis, List<Integer> multiples, String text) {
    public Level {
      multiples = List.copyOf(multiples);
    }

    public int largestMultiple() {
      return multiples.getLast();
    }
  }

  private final List<Level> levels;
  private final int wanted;

  /**
   * @param wanted the maximum number of buckets
   * @param least the finest unit allowed, or null
   */
  public AutoLevels(int wanted, @Nullable CalendarUnit least, ZoneId zone) {
    this.wanted = wanted;
    List<Level> all =
        List.of(
            level(CalendarUnit.SECOND, "s", zone, 1, 5, 10, 30),
            level(CalendarUnit.MINUTE, "m", zone, 1, 5, 10, 30),
            level(CalendarUnit.HOUR, "h", zone, 1, 3, 12),
            level(CalendarUnit.DAY, "d", zone, 1, 7),
            level(CalendarUnit.MONTH, "M", zone, 1, 3),
            level(CalendarUnit.YEAR, "y", zone, 1, 5, 10, 20, 50, 100));
    this.levels = all.subList(least == null ? 0 : first(least), all.size());
  }

  private static Level level(CalendarUnit unit, String text, ZoneId zone, Integer... multiples) {
    return new Level(
        Rounding.calendar(unit, zone, 0), unit.typicalMillis(), List.of(multiples), text);
  }

  private static int first(CalendarUnit least) {
    return switch (least) {
      case SECOND -> 0;
      case MINUTE -> 1;
      case HOUR -> 2;
      case DAY -> 3;
      case MONTH -> 4;
      case YEAR -> 5;
      default -> throw new IllegalArgumentException("no level has the unit " + least);
    };
  }

  public Level get(int level) {
    return levels.get(level);
  }

  public int wanted() {
    return wanted;
  }

  public int last() {
    return levels.size() - 1;
  }

  /** Whether a level gives too many buckets with every multiple. */
  public boolean isTooFine(int level, long buckets) {
    return level < last() && buckets > (long) wanted * get(level).largestMultiple();
  }

  /**
   * The finest level that is not finer than the given one and does not give too many buckets,
   * including empty ones.
   */
  public int fitting(long first, long end, int level) {
    int at = level;
    while (at < last()
        && (end - first) / get(at).typicalMillis() > 2L * wanted * get(at).largestMultiple()) {
      at++;
    }
    while (isTooFine(at, starts(at, first, end))) {
      at++;
    }
    return at;
  }

  private long starts(int level, long first, long end) {
    Rounding rounding = get(level).rounding();
    long count = 0;
    long enough = (long) wanted * get(level).largestMultiple() + 1;
    for (long at = first; at < end && count <= enough; at = rounding.next(at)) {
      count++;
    }
    return count;
  }

  /** The smallest multiple that gives at most the wanted number of buckets, or 1 if none does. */
  public int multiple(int level, int buckets) {
    if (buckets <= wanted) {
      return 1;
    }
    for (int multiple : get(level).multiples()) {
      if ((buckets + multiple - 1) / multiple <= wanted) {
        return multiple;
      }
    }
    return 1;
  }
}
