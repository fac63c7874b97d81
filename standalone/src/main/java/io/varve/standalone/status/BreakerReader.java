package io.varve.standalone.status;

import io.varve.standalone.NodeMetricsPath;
import io.varve.standalone.RestCalls;
import io.varve.standalone.status.ClusterStatus.Breaker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the state of the circuit breakers of each process, through a coordinator: with security,
 * only a coordinator may call the other processes.
 */
final class BreakerReader {

  private static final String METRIC = "resilience4j_circuitbreaker_state";
  private static final Pattern LABEL = Pattern.compile("(name|state)=\"([^\"]*)\"");

  private final RestCalls rest;

  BreakerReader(RestCalls rest) {
    this.rest = rest;
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
        String process = group.path("labels").path("node").asString("");
        // Processes that left the cluster remain targets for a while.
        if (names.containsValue(process)) {
          pages.add(threads.submit(() -> new Page(process, metrics(process))));
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

  private @Nullable String metrics(String process) {
    try {
      RestCalls.Answer answer = rest.get(NodeMetricsPath.of(process) + "?name=" + METRIC);
      return answer.status() == 200 ? answer.text() : null;
    } catch (IOException e) {
      // The process is listed as not asked.
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
