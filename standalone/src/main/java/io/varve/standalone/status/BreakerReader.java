package io.varve.standalone.status;

import io.varve.standalone.RestAccess;
import io.varve.standalone.RestCalls;
import io.varve.standalone.status.ClusterStatus.Breaker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Asks each process for the state of its circuit breakers. Only coordinators are sent the
 * credentials of a user, because only they know users; a secured node answers nobody here.
 */
final class BreakerReader {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String METRIC = "resilience4j_circuitbreaker_state";
  private static final Pattern LABEL = Pattern.compile("(name|state)=\"([^\"]*)\"");

  private final Supplier<Optional<String>> authorization;

  BreakerReader(Supplier<Optional<String>> authorization) {
    this.authorization = authorization;
  }

  /** The breakers that are not closed, and the processes that did not answer. */
  record Found(List<Breaker> open, List<String> notAsked) {}

  /** The page of a process; null if it did not answer. */
  private record Page(String process, @Nullable String metrics) {}

  /**
   * @param targets the answer of {@code /_prometheus/targets}
   * @param names of the members, by id
   */
  Found read(JsonNode targets, Map<String, String> names) throws IOException {
    List<Breaker> open = new ArrayList<>();
    List<String> notAsked = new ArrayList<>();
    for (Page page : pages(targets, names)) {
      String metrics = page.metrics();
      if (metrics == null) {
        notAsked.add(page.process());
      } else {
        open.addAll(open(page.process(), metrics, names));
      }
    }
    return new Found(open, notAsked);
  }

  private List<Page> pages(JsonNode targets, Map<String, String> names) throws IOException {
    List<Future<Page>> pages = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (JsonNode group : targets) {
        JsonNode labels = group.path("labels");
        String process = labels.path("node").asString("");
        // Processes that left the cluster remain targets for a while.
        if (names.containsValue(process)) {
          boolean users = labels.path("service").asString("").equals("coordinator");
          String url = "http://" + group.path("targets").path(0).asString("");
          pages.add(threads.submit(() -> new Page(process, metrics(url, users))));
        }
      }
    }
    List<Page> answered = new ArrayList<>();
    for (Future<Page> page : pages) {
      try {
        answered.add(page.get());
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while asking for breakers", e);
      }
    }
    return answered;
  }

  private @Nullable String metrics(String url, boolean users) {
    try (RestCalls process =
        new RestCalls(
            url,
            TIMEOUT,
            new RestAccess(users ? authorization : Optional::empty, Optional.empty()))) {
      RestCalls.Answer answer = process.get("/_actuator/prometheus?includedNames=" + METRIC);
      return answer.status() == 200 ? answer.text() : null;
    } catch (IOException e) {
      // It is listed among those that were not asked.
      return null;
    }
  }

  /** The metric of a breaker is 1 for its current state, and 0 for all others. */
  static List<Breaker> open(String process, String metrics, Map<String, String> names) {
    List<Breaker> open = new ArrayList<>();
    for (String line : metrics.split("\n")) {
      if (line.startsWith(METRIC + "{") && line.strip().matches(".*} 1(\\.0)?")) {
        String name = label(line, "name");
        String state = label(line, "state");
        if (state.equals("open") || state.equals("half_open") || state.equals("forced_open")) {
          open.add(new Breaker(process, names.getOrDefault(name, name), state));
        }
      }
    }
    return open;
  }

  private static String label(String line, String name) {
    return LABEL
        .matcher(line)
        .results()
        .filter(label -> label.group(1).equals(name))
        .map(label -> label.group(2))
        .findFirst()
        .orElse("");
  }
}
