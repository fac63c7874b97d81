package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketOrder;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Parses the order of buckets. */
final class Orders {

  private Orders() {}

  static BucketOrder take(AggregationFields fields, BucketOrder otherwise) {
    JsonValue value = fields.take("order");
    return switch (value) {
      case null -> otherwise;
      case Obj object -> new BucketOrder(List.of(key(fields, object)));
      case Arr array -> {
        List<BucketOrder.Key> keys = new ArrayList<>();
        for (JsonValue item : array.items()) {
          if (!(item instanceof Obj object)) {
            throw fields.unsupported("order", item);
          }
          keys.add(key(fields, object));
        }
        yield keys.isEmpty() ? otherwise : new BucketOrder(keys);
      }
      default -> throw fields.unsupported("order", value);
    };
  }

  private static BucketOrder.Key key(AggregationFields fields, Obj object) {
    if (object.fields().size() != 1) {
      throw object.refused("Must specify at least one field for [order]");
    }
    Map.Entry<String, JsonValue> only = object.fields().entrySet().iterator().next();
    boolean down = descending(only.getValue());
    return switch (only.getKey()) {
      case "_count" -> new BucketOrder.Key.Count(down);
      case "_key" -> new BucketOrder.Key.Own(down);
      case "_term", "_time" -> {
        fields.warn(
            "Deprecated aggregation order key [" + only.getKey() + "] used, replaced by [_key]");
        yield new BucketOrder.Key.Own(down);
      }
      default -> new BucketOrder.Key.Path(only.getKey(), down);
    };
  }

  static boolean descending(JsonValue value) {
    if (value instanceof Scalar scalar && scalar.value() instanceof String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "asc" -> false;
        case "desc" -> true;
        default -> throw value.refused("Unknown order direction [" + text + "]");
      };
    }
    throw value.refused("Unexpected token [" + value.token() + "] for [order]");
  }
}
