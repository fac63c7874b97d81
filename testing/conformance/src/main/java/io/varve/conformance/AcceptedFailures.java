package io.varve.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Known failures that will not be fixed, one per line: {@code pattern | reason}. */
final class AcceptedFailures {

  private final Map<Pattern, String> reasons = new LinkedHashMap<>();

  /**
   * @param secured whether the server has security
   */
  static AcceptedFailures of(boolean secured) throws IOException {
    List<String> texts = new ArrayList<>(Conformance.resource("accepted-failures.txt"));
    if (secured) {
      texts.addAll(Conformance.resource("accepted-failures-secured.txt"));
    }
    return new AcceptedFailures(texts);
  }

  AcceptedFailures(List<String> texts) {
    for (String text : texts) {
      String line = text.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int bar = line.indexOf('|');
      if (bar < 1 || line.substring(bar + 1).isBlank()) {
        throw new IllegalArgumentException("[" + line + "] gives no reason after a |");
      }
      reasons.put(
          TargetList.pattern(line.substring(0, bar).strip()), line.substring(bar + 1).strip());
    }
  }

  boolean accepts(String id) {
    return reasons.keySet().stream().anyMatch(pattern -> pattern.matcher(id).matches());
  }
}
