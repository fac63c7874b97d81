package io.varve.load;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * A kind of search from the workloads. Its values are drawn for each call, so that request caches
 * have no effect, but are the same for each server.
 *
 * @param pages the number of pages to scroll through, or 1 for a search without a scroll
 */
record SearchOperation(
    String name, Shape shape, int pages, Function<SplittableRandom, String> body) {

  /** Number of pages of a scroll. */
  private static final int PAGES = 10;

  /** Returns all operations. The time span of the generated documents depends on their number. */
  static List<SearchOperation> all(int documents) {
    long taxiSeconds = documents * 3L;
    long logSeconds = documents / 3;
    return List.of(
        taxis("match_all", random -> "{\"query\":{\"match_all\":{}}}"),
        taxis(
            "range",
            random -> {
              int from = random.nextInt(5, 30);
              return "{\"query\":{\"range\":{\"total_amount\":{\"gte\":"
                  + from
                  + ",\"lt\":"
                  + (from + 10)
                  + "}}}}";
            }),
        taxis(
            "terms_agg",
            random ->
                "{\"size\":0,\"query\":"
                    + distance(random)
                    + ",\"aggs\":{\"a\":{\"terms\":{\"field\":\"payment_type\"}}}}"),
        taxis(
            "histogram_stats",
            random ->
                "{\"size\":0,\"query\":{\"bool\":{\"filter\":"
                    + distance(random)
                    + "}},\"aggs\":{\"a\":{\"histogram\":{\"field\":\"trip_distance\",\"interval\":1},\"aggs\":{\"b\":{\"stats\":{\"field\":\"total_amount\"}}}}}}"),
        taxis(
            "date_histogram",
            random ->
                "{\"size\":0,\"query\":"
                    + pickup(random, taxiSeconds)
                    + ",\"aggs\":{\"a\":{\"date_histogram\":{\"field\":\"pickup_datetime\",\"calendar_interval\":\"day\"}}}}"),
        taxis("sort_date_desc", random -> sorted("pickup_datetime", "desc")),
        taxis("sort_date_asc", random -> sorted("pickup_datetime", "asc")),
        logs(
            "term",
            random ->
                "{\"query\":{\"term\":{\"request.raw\":{\"value\":\"GET /english/teams/team"
                    + random.nextInt(32)
                    + ".htm HTTP/1.0\"}}}}"),
        logs(
            "match",
            random ->
                "{\"query\":{\"match\":{\"request\":\"images team"
                    + random.nextInt(32)
                    + " english\"}}}"),
        logs(
            "hourly_agg",
            random ->
                "{\"size\":0,\"query\":"
                    + time(random, logSeconds)
                    + ",\"aggs\":{\"a\":{\"date_histogram\":{\"field\":\"@timestamp\",\"calendar_interval\":\"hour\"}}}}"),
        logs(
            "multi_terms_agg",
            random ->
                "{\"size\":0,\"query\":"
                    + time(random, logSeconds / 20)
                    + ",\"aggs\":{\"a\":{\"multi_terms\":{\"terms\":[{\"field\":\"clientip\"},{\"field\":\"status\"},{\"field\":\"size\"}]}}}}"),
        logs("sort_size_desc", random -> sorted("size", "desc")),
        new SearchOperation(
            "scroll", Shape.LOGS, PAGES, random -> "{\"size\":1000,\"query\":{\"match_all\":{}}}"));
  }

  private static SearchOperation taxis(String name, Function<SplittableRandom, String> body) {
    return new SearchOperation(name, Shape.TAXIS, 1, body);
  }

  private static SearchOperation logs(String name, Function<SplittableRandom, String> body) {
    return new SearchOperation(name, Shape.LOGS, 1, body);
  }

  String index() {
    return "bench-" + shape.name().toLowerCase(java.util.Locale.ROOT);
  }

  private static String sorted(String field, String order) {
    return "{\"query\":{\"match_all\":{}},\"sort\":[{\"" + field + "\":\"" + order + "\"}]}";
  }

  private static String distance(SplittableRandom random) {
    return "{\"range\":{\"trip_distance\":{\"lt\":" + random.nextInt(10, 50) + ",\"gte\":0}}}";
  }

  private static String pickup(SplittableRandom random, long seconds) {
    return "{\"range\":{\"pickup_datetime\":{\"format\":\"epoch_second\",\"gte\":"
        + (1_420_070_400L + random.nextLong(seconds / 10 + 1))
        + "}}}";
  }

  private static String time(SplittableRandom random, long seconds) {
    long from = 893_964_617L + random.nextLong(seconds / 10 + 1);
    return "{\"range\":{\"@timestamp\":{\"format\":\"epoch_second\",\"gte\":"
        + from
        + ",\"lt\":"
        + (from + seconds)
        + "}}}";
  }
}
