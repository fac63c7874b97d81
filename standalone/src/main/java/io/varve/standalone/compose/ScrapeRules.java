package io.varve.standalone.compose;

import static io.varve.standalone.compose.Trees.list;
import static io.varve.standalone.compose.Trees.map;
import static io.varve.standalone.compose.Trees.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules for the requests of Prometheus to the processes of docker-compose.yml.
 *
 * <pre>
 *   scrape-target        it asks every coordinator, and no other process, for its targets
 *   scrape-credentials   it calls over HTTPS: as a user to get targets, and with a certificate
 *                        to scrape them; the files of both are mounted
 * </pre>
 */
final class ScrapeRules {

  static final String COORDINATOR = "io.varve.coordinator.CoordinatorService";

  private static final String TARGET = "scrape-target";
  private static final String CREDENTIALS = "scrape-credentials";
  private static final String FILE = "prometheus.yml";

  private final List<Problem> problems = new ArrayList<>();
  private final Set<String> mounted;

  private ScrapeRules(ComposeFile compose) {
    this.mounted =
        compose.services().stream()
            .filter(service -> service.name().equals("prometheus"))
            .findFirst()
            .map(service -> service.secrets().keySet())
            .orElse(Set.of());
  }

  static List<Problem> problems(ComposeFile compose, Map<?, ?> prometheus) {
    ScrapeRules rules = new ScrapeRules(compose);
    rules.checkTargets(compose, prometheus);
    for (Object job : list(prometheus, "scrape_configs")) {
      rules.checkCredentials((Map<?, ?>) job);
    }
    return List.copyOf(rules.problems);
  }

  private void checkTargets(ComposeFile compose, Map<?, ?> prometheus) {
    Set<String> wanted = new TreeSet<>();
    for (ComposeFile.Service service : compose.services()) {
      if (service.command().contains(COORDINATOR)) {
        wanted.add("https://" + service.name() + ":9200/_prometheus/targets");
      }
    }
    Set<String> asked = new TreeSet<>();
    for (Object job : list(prometheus, "scrape_configs")) {
      for (Object source : list((Map<?, ?>) job, "http_sd_configs")) {
        asked.add(text((Map<?, ?>) source, "url"));
      }
    }
    for (String url : wanted) {
      require(asked.contains(url), TARGET, FILE, "does not ask " + url);
    }
    for (String url : asked) {
      require(wanted.contains(url), TARGET, FILE, "asks an unknown service: " + url);
    }
  }

  private void checkCredentials(Map<?, ?> job) {
    String path = FILE + " " + text(job, "job_name");
    require(text(job, "scheme").equals("https"), CREDENTIALS, path, "scrapes without TLS");
    requireFile(path, map(job, "tls_config"), "ca_file");
    requireFile(path, map(job, "tls_config"), "cert_file");
    requireFile(path, map(job, "tls_config"), "key_file");
    for (Object source : list(job, "http_sd_configs")) {
      Map<?, ?> asked = (Map<?, ?>) source;
      String url = path + " " + text(asked, "url");
      require(
          !text(map(asked, "basic_auth"), "username").isEmpty(),
          CREDENTIALS,
          url,
          "is asked without a user");
      requireFile(url, map(asked, "basic_auth"), "password_file");
      requireFile(url, map(asked, "tls_config"), "ca_file");
    }
  }

  private void requireFile(String path, Map<?, ?> from, String key) {
    Optional<String> file = Optional.of(text(from, key)).filter(mounted::contains);
    require(file.isPresent(), CREDENTIALS, path, "has no mounted " + key);
  }

  private void require(boolean holds, String rule, String path, String text) {
    if (!holds) {
      problems.add(new Problem(rule, path, text));
    }
  }
}
