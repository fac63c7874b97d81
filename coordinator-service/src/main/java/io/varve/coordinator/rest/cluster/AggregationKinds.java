package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The supported aggregations, each with the types of values that it accepts. */
final class AggregationKinds {

  private static final List<String> OF_NUMBERS =
      List.of("avg", "sum", "stats", "extended_stats", "histogram", "min", "max", "range");
  private static final List<String> OF_ANY_VALUE =
      List.of("cardinality", "missing", "terms", "value_count");
  private static final List<String> OF_DATES = List.of("auto_date_histogram", "date_histogram");
  private static final List<String> OF_PLACES = List.of("geo_distance");
  private static final List<String> OF_DOCUMENTS =
      List.of("filter", "filters", "global", "multi_terms");

  private AggregationKinds() {}

  static Map<String, Object> shown() {
    Map<String, Object> shown = new TreeMap<>();
    OF_NUMBERS.forEach(name -> shown.put(name, types("boolean", "date", "numeric")));
    OF_ANY_VALUE.forEach(
        name -> shown.put(name, types("boolean", "bytes", "date", "geopoint", "ip", "numeric")));
    OF_DATES.forEach(name -> shown.put(name, types("boolean", "date", "numeric")));
    OF_PLACES.forEach(name -> shown.put(name, types("geopoint")));
    OF_DOCUMENTS.forEach(name -> shown.put(name, types("other")));
    return shown;
  }

  private static Map<String, Object> types(String... types) {
    return object("types", List.of(types));
  }
}
