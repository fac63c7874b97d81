package io.varve.load.simulation;

import io.varve.load.Shape;
import java.util.List;

/**
 * A workload of OpenSearch Benchmark, with generated documents.
 *
 * @param indices that documents are spread over
 * @param target of the searches
 * @param settings of each index, as members of a JSON object
 * @param documents sent by default
 * @param bulk documents of a bulk
 * @param searches those of the default test procedure; none if it has none
 */
record Workload(
    String name,
    Shape shape,
    List<String> indices,
    String target,
    String settings,
    int documents,
    int bulk,
    List<Search> searches) {

  private static final String PLAIN =
      "\"queries.cache.enabled\":false,\"requests.cache.enable\":false";
  private static final String ALL = "{\"match_all\":{}}";
  private static final int DEFAULT_SHARDS = 5;

  Workload {
    indices = List.copyOf(indices);
    searches = List.copyOf(searches);
  }

  /** The default number of shards of each index. */
  int shards() {
    return name.equals("nyc_taxis") ? 1 : DEFAULT_SHARDS;
  }

  private static Workload of(
      String name, Shape shape, int documents, int bulk, List<Search> searches) {
    return new Workload(name, shape, List.of(name), name, PLAIN, documents, bulk, searches);
  }

  static Workload nycTaxis() {
    String dropOff =
        "{\"range\":{\"dropoff_datetime\":{\"gte\":\"01/01/2015\",\"lte\":\"21/01/2015\",\"format\":\"dd/MM/yyyy\"}}}";
    return new Workload(
        "nyc_taxis",
        Shape.TAXIS,
        List.of("nyc_taxis"),
        "nyc_taxis",
        PLAIN
            + ",\"codec\":\"best_compression\",\"refresh_interval\":\"30s\",\"translog.flush_threshold_size\":\"4g\"",
        200_000,
        10_000,
        List.of(
            Search.query("default", ALL),
            Search.query("range", "{\"range\":{\"total_amount\":{\"gte\":5,\"lt\":15}}}"),
            Search.aggregation(
                "distance_amount_agg",
                "{\"bool\":{\"filter\":{\"range\":{\"trip_distance\":{\"lt\":50,\"gte\":0}}}}}",
                "{\"histogram\":{\"field\":\"trip_distance\",\"interval\":1},\"aggs\":{\"amounts\":{\"stats\":{\"field\":\"total_amount\"}}}}"),
            Search.aggregation(
                "autohisto_agg",
                dropOff,
                "{\"auto_date_histogram\":{\"field\":\"dropoff_datetime\",\"buckets\":20}}"),
            Search.aggregation(
                "date_histogram_agg",
                dropOff,
                "{\"date_histogram\":{\"field\":\"dropoff_datetime\",\"calendar_interval\":\"day\"}}"),
            Search.sorted("tip_amount", "desc"),
            Search.sorted("tip_amount", "asc"),
            Search.sorted("passenger_count", "desc"),
            Search.sorted("passenger_count", "asc")));
  }

  /** Its default procedure has no searches. */
  static Workload stackoverflow() {
    return of("so", Shape.POSTS, 100_000, 5_000, List.of());
  }

  static Workload httpLogs() {
    List<String> indices =
        List.of(
            "logs-181998",
            "logs-191998",
            "logs-201998",
            "logs-211998",
            "logs-221998",
            "logs-231998",
            "logs-241998");
    return new Workload(
        "http_logs", Shape.LOGS, indices, "logs-*", PLAIN, 200_000, 5_000, logSearches());
  }

  private static List<Search> logSearches() {
    String range = "{\"range\":{\"@timestamp\":{\"gte\":\"now-20000d/d\",\"lt\":\"now/d\"}}}";
    String hourly =
        "{\"date_histogram\":{\"field\":\"@timestamp\",\"calendar_interval\":\"hour\"}}";
    return List.of(
        Search.query("default", ALL),
        Search.query(
            "term", "{\"term\":{\"request.raw\":{\"value\":\"GET /index.html HTTP/1.0\"}}}"),
        Search.query("range", range),
        Search.query("200s-in-range", inRange(range, "200")),
        Search.query("400s-in-range", inRange(range, "404")),
        Search.aggregation("hourly_agg", ALL, hourly),
        Search.aggregation("hourly_agg_with_filter", "{\"term\":{\"status\":200}}", hourly),
        Search.of(
            "hourly_agg_with_metrics",
            "{\"size\":0,\"aggs\":{\"by_hour\":"
                + hourly
                + ",\"sizes\":{\"stats\":{\"field\":\"size\"}}}}"),
        Search.aggregation(
            "multi_term_agg",
            "{\"range\":{\"@timestamp\":{\"gte\":\"1998-04-30T00:00:00Z\",\"lt\":\"1998-05-04T00:00:00Z\"}}}",
            "{\"multi_terms\":{\"terms\":[{\"field\":\"clientip\"},{\"field\":\"status\"},{\"field\":\"size\"}]}}"),
        Search.scroll(25, 1_000),
        Search.sorted("size", "desc"),
        Search.sorted("size", "asc"),
        Search.sorted("@timestamp", "desc"),
        Search.sorted("@timestamp", "asc"),
        after("desc"),
        after("asc"));
  }

  private static String inRange(String range, String status) {
    return "{\"bool\":{\"must\":[" + range + ",{\"match\":{\"status\":\"" + status + "\"}}]}}";
  }

  private static Search after(String order) {
    return Search.of(
        order + "_sort_with_after_timestamp",
        "{\"track_total_hits\":false,\"query\":{\"match_all\":{}},\"sort\":[{\"@timestamp\":\""
            + order
            + "\"}],\"search_after\":[\"1998-06-10\"]}");
  }

  static Workload geopoint() {
    return of(
        "geopoint",
        Shape.POINTS,
        200_000,
        5_000,
        List.of(
            Search.query(
                "polygon",
                "{\"geo_polygon\":{\"location\":{\"points\":[[-74.0,40.7],[-73.9,40.7],[-73.85,40.75],[-73.9,40.8],[-74.0,40.8],[-74.05,40.75]]}}}"),
            Search.query(
                "bbox",
                "{\"geo_bounding_box\":{\"location\":{\"top_left\":[-74.0,40.8],\"bottom_right\":[-73.9,40.7]}}}"),
            Search.query(
                "distance",
                "{\"geo_distance\":{\"distance\":\"200km\",\"location\":[-73.95,40.75]}}"),
            Search.aggregation(
                "distanceRange",
                ALL,
                "{\"geo_distance\":{\"field\":\"location\",\"origin\":\"40.75,"
                    + " -73.95\",\"unit\":\"km\",\"ranges\":[{\"to\":5}]}}")));
  }

  /** Its texts have a tenth of the original's length. */
  static Workload pmc() {
    String monthly =
        "{\"date_histogram\":{\"field\":\"timestamp\",\"calendar_interval\":\"month\"}}";
    Search agg = Search.aggregation("articles_monthly_agg_uncached", ALL, monthly);
    return of(
        "pmc",
        Shape.ARTICLES,
        20_000,
        500,
        List.of(
            Search.query("default", ALL),
            Search.query("term", "{\"term\":{\"body\":\"osis\"}}"),
            Search.query("phrase", "{\"match_phrase\":{\"body\":\"con pro\"}}"),
            agg,
            new Search("articles_monthly_agg_cached", "?request_cache=true", agg.body(), 1),
            Search.scroll(25, 100),
            Search.sorted("timestamp", "desc"),
            Search.sorted("timestamp", "asc"),
            Search.sorted("accession", "desc"),
            Search.sorted("accession", "asc")));
  }

  /** Its default procedure has no searches. */
  static Workload eventdata() {
    return of("eventdata", Shape.EVENTS, 100_000, 5_000, List.of());
  }
}
