package io.varve.search.mapping;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Selects the terms of a segment that are loaded as fielddata, by the number of documents that
 * contain them. A bound of at most 1 is a share of the documents with the field; a bound above 1 is
 * an absolute number.
 *
 * @param minSegmentSize smaller segments load all terms
 */
public record FrequencyFilter(double min, double max, int minSegmentSize) {

  public static final FrequencyFilter ALL = new FrequencyFilter(0, Integer.MAX_VALUE, 0);

  /** The smallest and the largest number of documents of a term that is loaded. */
  public record Bounds(long least, long most) {
    public boolean accept(int documents) {
      return documents >= least && documents <= most;
    }
  }

  static FrequencyFilter parse(Object value) {
    double min = ALL.min;
    double max = ALL.max;
    int size = ALL.minSegmentSize;
    for (Map.Entry<String, Object> entry :
        MappingParser.map("fielddata_frequency_filter", value).entrySet()) {
      double number = number(entry.getKey(), entry.getValue());
      switch (entry.getKey()) {
        case "min" -> min = number;
        case "max" -> max = number;
        case "min_segment_size" -> size = (int) number;
        default ->
            throw MappingErrors.parsing(
                "fielddata_frequency_filter has unsupported parameters:  ["
                    + entry.getKey()
                    + " : "
                    + entry.getValue()
                    + "]");
      }
    }
    if (min > max) {
      throw MappingErrors.illegal(
          "fielddata_frequency_filter needs min <= max, was [" + min + "] and [" + max + "]");
    }
    return new FrequencyFilter(min, max, size);
  }

  private static double number(String name, @Nullable Object value) {
    try {
      double number = Double.parseDouble(String.valueOf(value));
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw MappingErrors.illegal(
          "fielddata_frequency_filter needs a number for [" + name + "], was [" + value + "]");
    }
    throw MappingErrors.illegal(
        "fielddata_frequency_filter needs a number >= 0 for [" + name + "], was [" + value + "]");
  }

  /**
   * @param documents of the segment that have the field
   */
  public Bounds bounds(int documents) {
    return documents < minSegmentSize
        ? new Bounds(0, Long.MAX_VALUE)
        : new Bounds(count(min, documents), count(max, documents));
  }

  private static long count(double bound, int documents) {
    return bound > 1 ? (long) bound : (long) (documents * bound);
  }

  /** The JSON of the filter in a mapping. */
  Map<String, Object> toMap() {
    return new TreeMap<>(Map.of("min", min, "max", max, "min_segment_size", minSegmentSize));
  }
}
