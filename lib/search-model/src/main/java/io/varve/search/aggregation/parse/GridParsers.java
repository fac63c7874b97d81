package io.varve.search.aggregation.parse;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Grid;
import io.varve.search.aggregation.BucketAggregation.NamedFilter;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.GeoBox;
import io.varve.search.aggregation.result.GeoTiles;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.QueryParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses geo grids and adjacency matrices. */
final class GridParsers {

  private static final int MOST_HASH_LENGTH = 12;

  private GridParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    return switch (type) {
      case "geohash_grid" -> grid(Grid.GEOHASH, fields);
      case "geotile_grid" -> grid(Grid.GEOTILE, fields);
      default -> adjacency(fields);
    };
  }

  private static BucketAggregation grid(Grid grid, AggregationFields fields) {
    int precision = grid == Grid.GEOHASH ? hashLength(fields) : zoom(fields);
    int size = fields.takeInt("size", 10_000);
    TermsParsers.positive("size", size, fields);
    int shardSize = fields.takeInt("shard_size", -1);
    GeoBox bounds = bounds(fields);
    FieldSource source = Sources.of(fields);
    int suggested = (int) Math.min(Integer.MAX_VALUE, (long) (size * 1.5 + 10));
    return new BucketAggregation.GeoGrid(
        grid,
        source,
        precision,
        size,
        Math.max(size, shardSize > 0 ? shardSize : suggested),
        bounds);
  }

  private static int hashLength(AggregationFields fields) {
    int length = fields.takeInt("precision", 5);
    if (length < 1 || length > MOST_HASH_LENGTH) {
      throw AggregationFields.illegal(
          "Invalid geohash aggregation precision of " + length + ". Must be between 1 and 12.");
    }
    return length;
  }

  static int zoom(AggregationFields fields) {
    int zoom = fields.takeInt("precision", 7);
    if (zoom < 0 || zoom > GeoTiles.MOST_ZOOM) {
      throw AggregationFields.illegal(
          "Invalid geotile_grid precision of "
              + zoom
              + ". Must be between 0 and "
              + GeoTiles.MOST_ZOOM
              + ".");
    }
    return zoom;
  }

  static @Nullable GeoBox bounds(AggregationFields fields) {
    Obj object = fields.takeObject("bounds");
    if (object == null) {
      return null;
    }
    AggregationFields box = fields.within("bounds", object);
    Double top = box.takeDouble("top");
    if (top != null) {
      GeoBox sides =
          new GeoBox(
              top,
              box.takeDouble("bottom", Double.NaN),
              box.takeDouble("left", Double.NaN),
              box.takeDouble("right", Double.NaN));
      box.end("top", "bottom", "left", "right");
      return sides;
    }
    GeoPoint topLeft = point(box, "top_left");
    GeoPoint bottomRight = point(box, "bottom_right");
    box.end("top_left", "bottom_right");
    return new GeoBox(topLeft.lat(), bottomRight.lat(), topLeft.lon(), bottomRight.lon());
  }

  private static GeoPoint point(AggregationFields box, String name) {
    JsonValue value = box.take(name);
    Object plain = value == null ? null : value.plain();
    if (plain == null) {
      throw AggregationFields.illegal("failed to parse bounding box: [" + name + "] is missing");
    }
    try {
      return GeoPoint.parse(plain);
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  private static BucketAggregation adjacency(AggregationFields fields) {
    String separator = fields.takeString("separator");
    Obj object = fields.takeObject("filters");
    if (object == null || object.fields().isEmpty()) {
      throw AggregationFields.illegal("[filters] cannot be empty.");
    }
    boolean only = fields.takeBoolean("show_only_intersecting", false);
    List<NamedFilter> filters = new ArrayList<>();
    object
        .fields()
        .forEach((name, query) -> filters.add(new NamedFilter(name, QueryParser.parse(query))));
    filters.sort(Comparator.comparing(filter -> String.valueOf(filter.key())));
    return new BucketAggregation.AdjacencyMatrix(
        filters, separator == null ? "&" : separator, only);
  }
}
