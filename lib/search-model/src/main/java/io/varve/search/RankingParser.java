package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.Ranking.IndexBoost;
import io.varve.search.Ranking.Rescore;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.Collapse;
import io.varve.search.query.QueryParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses {@code collapse}, {@code rescore}, {@code indices_boost} and {@code profile}. */
final class RankingParser {

  static final int DEFAULT_RESCORE_WINDOW = 10;

  private RankingParser() {}

  static Ranking parse(Fields body) {
    JsonValue collapse = body.take("collapse");
    JsonValue rescore = body.take("rescore");
    JsonValue boosts = body.take("indices_boost");
    boolean profile = body.takeBoolean("profile", false);
    return new Ranking(
        collapse == null ? null : Collapse.parse(collapse),
        rescore == null ? List.of() : rescores(rescore),
        boosts == null ? List.of() : boosts(boosts),
        profile);
  }

  private static List<Rescore> rescores(JsonValue value) {
    List<Rescore> rescores = new ArrayList<>();
    if (value instanceof Arr array) {
      array.items().forEach(item -> rescores.add(rescore(item)));
    } else {
      rescores.add(rescore(value));
    }
    return rescores;
  }

  private static Rescore rescore(JsonValue value) {
    Fields fields = new Fields("rescore", object("rescore", value));
    int window = fields.takeInt("window_size", DEFAULT_RESCORE_WINDOW);
    JsonValue rescorer = fields.take("query");
    if (!fields.rest().isEmpty()) {
      Map.Entry<String, JsonValue> first = fields.rest().entrySet().iterator().next();
      throw first.getValue().refused("rescore doesn't support [" + first.getKey() + "]");
    }
    if (rescorer == null) {
      throw value.refused("missing rescore type");
    }
    Fields inner = new Fields("query", object("query", rescorer));
    JsonValue query = inner.take("rescore_query");
    float queryWeight = inner.takeFloat("query_weight", 1);
    float rescoreWeight = inner.takeFloat("rescore_query_weight", 1);
    Ranking.ScoreMode mode = mode(inner.takeString("score_mode"));
    inner.refuseUnknown();
    if (query == null) {
      throw illegal("Required [rescore_query]");
    }
    return new Rescore(window, QueryParser.parse(query), queryWeight, rescoreWeight, mode);
  }

  private static Ranking.ScoreMode mode(@Nullable String name) {
    return switch (name == null ? "total" : name.toLowerCase(Locale.ROOT)) {
      case "total" -> Ranking.ScoreMode.TOTAL;
      case "multiply" -> Ranking.ScoreMode.MULTIPLY;
      case "avg" -> Ranking.ScoreMode.AVG;
      case "max" -> Ranking.ScoreMode.MAX;
      case "min" -> Ranking.ScoreMode.MIN;
      default -> throw illegal("illegal score_mode [" + name + "]");
    };
  }

  private static List<IndexBoost> boosts(JsonValue value) {
    List<IndexBoost> boosts = new ArrayList<>();
    switch (value) {
      case Obj object -> addBoosts(object, boosts);
      case Arr array ->
          array
              .items()
              .forEach(item -> {
                if (!(item instanceof Obj one) || one.fields().size() != 1) {
                  throw item.refused(
                      "Expected [FIELD_NAME] in [indices_boost], but found [" + item.token() + "]");
                }
                addBoosts(one, boosts);
              });
      case Scalar scalar ->
          throw scalar.refused("Unknown key for a " + scalar.token() + " in [indices_boost].");
    }
    return boosts;
  }

  private static void addBoosts(Obj object, List<IndexBoost> into) {
    Fields fields = new Fields("indices_boost", object);
    for (String index : object.fields().keySet()) {
      into.add(new IndexBoost(index, fields.takeFloat(index, 1)));
    }
  }

  private static Obj object(String name, JsonValue value) {
    if (value instanceof Obj object) {
      return object;
    }
    throw value.refused(
        "Expected [START_OBJECT] in [" + name + "] but found [" + value.token() + "]");
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
