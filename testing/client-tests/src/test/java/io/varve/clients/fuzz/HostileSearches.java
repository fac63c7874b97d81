package io.varve.clients.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Searches that try to exhaust a node's memory or CPU: expressions that expand to millions of
 * states, nested aggregations with many buckets, deeply nested JSON, numbers beyond every window.
 *
 * <p>They use an index, created by {@code FuzzTest}, with enough documents for many buckets.
 */
final class HostileSearches {

  static final String INDEX = "many";

  private HostileSearches() {}

  static FuzzRequest next(Dice dice) {
    String body = dice.chance(0.5) ? query(dice) : aggregations(dice);
    return new FuzzRequest(
        "POST",
        "/" + INDEX + "/_search?timeout=5s",
        Map.of("Content-Type", "application/json"),
        body.replace('\'', '"').getBytes(UTF_8));
  }

  private static String query(Dice dice) {
    String query =
        switch (dice.below(12)) {
          case 0, 1 ->
              "{'regexp':{'tag':{'value':'"
                  + expression(dice)
                  + "','max_determinized_states':"
                  + dice.oneOf("2000000000", "100000", "10000", "1")
                  + "}}}";
          case 2 -> "{'regexp':{'tag':'" + expression(dice) + "'}}";
          case 3 ->
              "{'query_string':{'default_field':'tag','query':'/"
                  + expression(dice)
                  + "/','max_determinized_states':"
                  + dice.oneOf("2000000000", "10000")
                  + "}}";
          case 4 -> "{'intervals':{'title':{'regexp':{'pattern':'" + expression(dice) + "'}}}}";
          case 5 ->
              "{'"
                  + dice.oneOf("query_string", "simple_query_string")
                  + "':{'query':'"
                  + "(".repeat(1 << dice.below(16))
                  + "sand'}}";
          case 6 ->
              "{'wildcard':{'tag':'"
                  + dice.oneOf("*a", "?", "*?", "a*b").repeat(many(dice))
                  + "'}}";
          case 7 ->
              "{'prefix':{'tag':{'value':'"
                  + "a".repeat(many(dice))
                  + "','case_insensitive':true}}}";
          case 8 -> "{'fuzzy':{'tag':{'value':'tag-1','fuzziness':2,'max_expansions':2147483647}}}";
          case 9 ->
              "{'match_phrase':{'title':{'query':'"
                  + "layers of sand ".repeat(1 << dice.below(8))
                  + "','slop':2147483647}}}";
          case 10 -> nested(dice, "{'term':{'tag':'tag-1'}}");
          default ->
              "{'span_near':{'slop':2147483647,'clauses':["
                  + listed(1 << dice.below(9), i -> "{'span_term':{'title':'sand'}}")
                  + "]}}";
        };
    return "{'query':" + query + extras(dice) + "}";
  }

  /** Result windows and lists in addition to the query. */
  private static String extras(Dice dice) {
    int many = many(dice);
    return switch (dice.below(12)) {
      case 0 -> ",'size':" + dice.oneOf("10000", "10001", "2147483647");
      case 1 ->
          ",'rescore':["
              + listed(
                  many, i -> "{'window_size':10000,'query':{'rescore_query':{'match_all':{}}}}")
              + "]";
      case 2 -> ",'size':10000,'sort':[" + listed(many, i -> "{'n':'asc'}") + "]";
      case 3 -> ",'docvalue_fields':[" + listed(many, i -> "'n'") + "]";
      case 4 ->
          ",'highlight':{'number_of_fragments':2147483647,'fragment_size':2147483647,"
              + "'fields':{'title':{}}}";
      default -> "";
    };
  }

  private static String expression(Dice dice) {
    String atom = dice.oneOf("a", ".", "[a-z]", "(a|b|g)", "tag-", "[^a]", "(.*g)");
    int count = 1 << dice.below(14);
    return switch (dice.below(6)) {
      case 0 -> "(" + atom + "{" + count + "}){" + count + "}";
      case 1 -> "((" + atom + "{1," + count + "}){" + count + "}){1000}";
      case 2 -> ".*" + atom + ".{" + (1 + dice.below(30)) + "}";
      case 3 -> "(.*a.{30})&(.*" + atom + ".{30})&(.*b.{30})";
      case 4 -> "(~(.*" + atom + ".{9})){" + count + "}";
      default -> atom + "{" + count + "}";
    };
  }

  private static String nested(Dice dice, String query) {
    int depth = 1 << dice.below(9);
    return "{'bool':{'must':[".repeat(depth) + query + "]}}".repeat(depth);
  }

  private static String aggregations(Dice dice) {
    int depth = dice.below(5);
    StringBuilder aggregations = new StringBuilder("{'x':" + leaf(dice) + "}");
    for (int i = 0; i < depth; i++) {
      String group = group(dice);
      aggregations =
          new StringBuilder("{'g':" + group.substring(0, group.length() - 1) + ",'aggs':")
              .append(aggregations)
              .append("}}");
    }
    return "{'size':0,'aggs':" + aggregations + "}";
  }

  private static String group(Dice dice) {
    String size = dice.oneOf("10", "65535", "2147483647");
    return switch (dice.below(10)) {
      case 0 -> "{'terms':{'field':'tag','size':" + size + ",'shard_size':2147483647}}";
      case 1 -> "{'terms':{'field':'n','size':" + size + "}}";
      case 2 -> "{'terms':{'field':'tag','include':'" + expression(dice) + "'}}";
      case 3 -> "{'histogram':{'field':'n','interval':" + dice.oneOf("1", "0.001", "1e-300") + "}}";
      case 4 ->
          "{'date_histogram':{'field':'day','fixed_interval':'"
              + dice.oneOf("1ms", "1d")
              + "','extended_bounds':{'min':'0001-01-01','max':'9999-01-01'}}}";
      case 5 ->
          "{'filters':{'filters':[" + listed(many(dice), i -> "{'term':{'n':" + i + "}}") + "]}}";
      case 6 ->
          "{'adjacency_matrix':{'filters':{"
              + listed(100, i -> "'f" + i + "':{'match_all':{}}")
              + "}}}";
      case 7 -> "{'multi_terms':{'size':" + size + ",'terms':[{'field':'tag'},{'field':'n'}]}}";
      case 8 -> "{'sampler':{'shard_size':2147483647}}";
      default ->
          "{'range':{'field':'n','ranges':["
              + listed(many(dice), i -> "{'from':" + i + "}")
              + "]}}";
    };
  }

  private static String leaf(Dice dice) {
    return switch (dice.below(6)) {
      case 0 -> "{'percentiles':{'field':'n','tdigest':{'compression':1e9}}}";
      case 1 -> "{'percentiles':{'field':'n','hdr':{'number_of_significant_value_digits':5}}}";
      case 2 -> "{'cardinality':{'field':'tag','precision_threshold':2147483647}}";
      case 3 -> "{'top_hits':{'size':" + dice.oneOf("100", "2147483647") + "}}";
      case 4 ->
          "{'composite':{'size':"
              + dice.oneOf("60000", "2147483647")
              + ",'sources':["
              + listed(1 << dice.below(6), i -> "{'k" + i + "':{'terms':{'field':'tag'}}}")
              + "]}}";
      default -> "{'max':{'field':'n'}}";
    };
  }

  private static int many(Dice dice) {
    return 1 << dice.below(13);
  }

  private static String listed(int count, IntFunction<String> item) {
    return IntStream.range(0, count).mapToObj(item).collect(Collectors.joining(","));
  }
}
