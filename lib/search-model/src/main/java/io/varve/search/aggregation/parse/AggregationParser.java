package io.varve.search.aggregation.parse;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.aggregation.Aggregation;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.Aggregations;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.MetricAggregation;
import io.varve.search.aggregation.PipelineAggregation;
import io.varve.search.aggregation.result.OrderValues;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Obj;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses trees of aggregations. Unknown parts are refused with OpenSearch's error texts. */
public final class AggregationParser {

  private static final int DEPTH_LIMIT = 64;
  private static final Pattern NAME = Pattern.compile("[^\\[\\]>]+");

  private final List<String> warnings = new ArrayList<>();

  private AggregationParser() {}

  /** Parses the value of {@code aggs}. */
  public static Aggregations parse(JsonValue value) {
    AggregationParser parser = new AggregationParser();
    AggregationTree tree = parser.tree(value, 1);
    TreeChecks.check(tree);
    return new Aggregations(tree, parser.warnings.stream().distinct().toList());
  }

  private AggregationTree tree(JsonValue value, int depth) {
    if (!(value instanceof Obj object)) {
      throw value.refused(
          "Expected [START_OBJECT] under [aggs], but got a [" + value.token() + "]");
    }
    if (depth > DEPTH_LIMIT) {
      throw value.refused("The depth of the aggregations exceeds the limit of " + DEPTH_LIMIT);
    }
    List<AggregationNode> collected = new ArrayList<>();
    List<AggregationNode> pipelines = new ArrayList<>();
    object
        .fields()
        .forEach((name, body) -> {
          AggregationNode node = node(name, body, depth);
          (node.aggregation() instanceof PipelineAggregation ? pipelines : collected).add(node);
        });
    return new AggregationTree(collected, pipelines);
  }

  private AggregationNode node(String name, JsonValue value, int depth) {
    Obj body = body(name, value);
    AggregationTree children = null;
    Map<String, @Nullable Object> meta = null;
    Map.Entry<String, JsonValue> type = null;
    for (Map.Entry<String, JsonValue> entry : body.fields().entrySet()) {
      Obj inner = member(name, entry);
      switch (entry.getKey()) {
        case "meta", "metadata" -> meta = plain(inner);
        case "aggs", "aggregations" -> {
          if (children != null) {
            throw inner.refused("Found two sub aggregation definitions under [" + name + "]");
          }
          children = tree(inner, depth + 1);
        }
        default -> {
          if (type != null) {
            throw twoTypes(name, type.getKey(), entry.getKey(), inner);
          }
          type = entry;
        }
      }
    }
    if (type == null || !(type.getValue() instanceof Obj definition)) {
      throw value.refused("Missing definition for aggregation [" + name + "]");
    }
    Aggregation aggregation = aggregation(name, type.getKey(), definition);
    AggregationTree inner = children == null ? AggregationTree.EMPTY : children;
    checkChildren(name, aggregation, inner);
    return new AggregationNode(name, aggregation, inner, meta, definition.at());
  }

  private static Obj body(String name, JsonValue value) {
    if (!NAME.matcher(name).matches()) {
      throw value.refused(
          "Invalid aggregation name ["
              + name
              + "]. Aggregation names can contain any character except '[', ']', and '>'");
    }
    if (value instanceof Obj body) {
      return body;
    }
    throw value.refused(
        "Aggregation definition for ["
            + name
            + " starts with a ["
            + value.token()
            + "], expected a [START_OBJECT].");
  }

  private static Obj member(String name, Map.Entry<String, JsonValue> entry) {
    JsonValue value = entry.getValue();
    if (value instanceof Obj object) {
      return object;
    }
    throw value.refused(
        "Expected [START_OBJECT] under ["
            + entry.getKey()
            + "], but got a ["
            + value.token()
            + "] in ["
            + name
            + "]");
  }

  private static ApiException twoTypes(String name, String first, String second, Obj at) {
    return at.refused(
        "Found two aggregation type definitions in ["
            + name
            + "]: ["
            + first
            + "] and ["
            + second
            + "]");
  }

  private static Map<String, @Nullable Object> plain(Obj object) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    object.fields().forEach((name, value) -> map.put(name, value.plain()));
    return map;
  }

  private static void checkChildren(String name, Aggregation aggregation, AggregationTree inner) {
    if (!inner.isEmpty() && !(aggregation instanceof BucketAggregation)) {
      String kind = aggregation instanceof MetricAggregation ? "Aggregator" : "Aggregation";
      throw new ApiException(
          400,
          "aggregation_initialization_exception",
          kind
              + " ["
              + name
              + "] of type ["
              + aggregation.type()
              + "] cannot accept sub-aggregations");
    }
    BucketOrder order =
        switch (aggregation) {
          case BucketAggregation.Terms terms -> terms.order();
          case BucketAggregation.MultiTerms terms -> terms.order();
          case BucketAggregation.Histogram histogram -> histogram.shown().order();
          case BucketAggregation.DateHistogram histogram -> histogram.shown().order();
          default -> null;
        };
    if (order != null) {
      for (BucketOrder.Key key : order.keys()) {
        if (key instanceof BucketOrder.Key.Path path) {
          OrderValues.check(inner, path.path());
        }
      }
    }
  }

  private Aggregation aggregation(String name, String type, Obj definition) {
    AggregationFields fields = new AggregationFields(name, type, definition, warnings);
    Family family = Family.of(type);
    if (family == null) {
      throw unknown(type, definition);
    }
    Aggregation read = family.read(type, fields);
    fields.end(family.known());
    return read;
  }

  private static ApiException unknown(String type, Obj definition) {
    String hint = Spelling.hint(type, Family.allTypes());
    return new ApiException(
        ErrorBody.of(400, "parsing_exception", "Unknown aggregation type [" + type + "]" + hint)
            .with("line", definition.at().line())
            .with("col", definition.at().column())
            .causedBy(
                ErrorBody.of(
                    400,
                    "named_object_not_found_exception",
                    "[" + definition.at() + "] unknown field [" + type + "]" + hint)));
  }
}
