package io.varve.standalone.compose;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Prometheus asks every coordinator of docker-compose.yml for its targets, and nobody else. */
final class ScrapeRules {

  private static final String RULE = "scrape-target";
  private static final String COORDINATOR = "io.varve.coordinator.CoordinatorService";

  private ScrapeRules() {}

  static List<Problem> problems(Map<?, ?> compose, Map<?, ?> prometheus) {
    Set<String> wanted = new TreeSet<>();
    Trees.map(compose, "services")
        .forEach((name, service) -> {
          if (service instanceof Map<?, ?> map
              && Trees.list(map, "command").contains(COORDINATOR)) {
            wanted.add("http://" + name + ":9200/_prometheus/targets");
          }
        });
    Set<String> asked = new TreeSet<>();
    for (Object job : Trees.list(prometheus, "scrape_configs")) {
      for (Object source : Trees.list((Map<?, ?>) job, "http_sd_configs")) {
        asked.add(String.valueOf(((Map<?, ?>) source).get("url")));
      }
    }
    List<Problem> problems = new ArrayList<>();
    for (String url : wanted) {
      if (!asked.contains(url)) {
        problems.add(new Problem(RULE, "prometheus.yml", "does not ask " + url));
      }
    }
    for (String url : asked) {
      if (!wanted.contains(url)) {
        problems.add(new Problem(RULE, "prometheus.yml", "asks an unknown service: " + url));
      }
    }
    return problems;
  }
}
