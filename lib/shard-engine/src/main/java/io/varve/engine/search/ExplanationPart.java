package io.varve.engine.search;

import io.varve.events.Json;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.Explanation;

/** Fetches the explanation of a hit's score. */
final class ExplanationPart implements HitPart {

  /** Explains the score of a document, by its id in the whole reader. */
  @FunctionalInterface
  interface Explaining {
    Explanation of(int doc) throws IOException;
  }

  private final Explaining explaining;

  ExplanationPart(Explaining explaining) {
    this.explaining = explaining;
  }

  @Override
  public ShardHit.Part of(HitContext hit) throws IOException {
    return of(explaining.of(hit.globalDoc()));
  }

  static ShardHit.Part of(Explanation explanation) {
    return new ShardHit.Part("_explanation", Json.write(map(explanation)));
  }

  static Map<String, Object> map(Explanation explanation) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("value", explanation.getValue());
    map.put("description", explanation.getDescription());
    List<Map<String, Object>> details = new ArrayList<>();
    for (Explanation detail : explanation.getDetails()) {
      details.add(map(detail));
    }
    map.put("details", details);
    return map;
  }
}
