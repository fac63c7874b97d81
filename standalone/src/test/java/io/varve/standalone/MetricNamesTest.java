package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.metrics.Metric;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Checks that dashboards and alert rules use only metrics and labels that a service exports, and
 * that services export only metrics that are declared.
 */
class MetricNamesTest {

  private static final Path OBSERVABILITY = Modules.ROOT.resolve("observability");

  private static final Pattern USED =
      Pattern.compile(
          "\\b((?:varve|http|jvm|process|disk|resilience4j)_[a-z0-9_]+)(?:\\{([^}]*)})?(?![\\w(])");

  private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");

  /** Labels that Prometheus adds to every metric. */
  private static final Set<String> COMMON_LABELS =
      Set.of("job", "instance", "service", "cluster", "node");

  private static final String METERS = "io/micrometer/core/instrument/";

  /** Metrics of libraries that dashboards and alerts use, with their labels. */
  private static final Map<String, Set<String>> OF_LIBRARIES =
      Map.ofEntries(
          Map.entry("resilience4j_circuitbreaker_state", Set.of("name", "state")),
          Map.entry("resilience4j_circuitbreaker_failure_rate", Set.of("name")),
          Map.entry("resilience4j_circuitbreaker_calls_seconds_count", Set.of("name", "kind")),
          Map.entry(
              "resilience4j_circuitbreaker_not_permitted_calls_total", Set.of("name", "kind")),
          Map.entry("disk_free_bytes", Set.of("path")),
          Map.entry("disk_total_bytes", Set.of("path")),
          Map.entry("jvm_memory_used_bytes", Set.of("area", "id")),
          Map.entry("jvm_memory_max_bytes", Set.of("area", "id")),
          Map.entry("jvm_memory_usage_after_gc", Set.of("area", "pool")),
          Map.entry("jvm_gc_pause_seconds_count", Set.of("action", "cause", "gc")),
          Map.entry("jvm_gc_pause_seconds_sum", Set.of("action", "cause", "gc")),
          Map.entry("jvm_gc_pause_seconds_max", Set.of("action", "cause", "gc")),
          Map.entry("jvm_gc_memory_allocated_bytes_total", Set.of()),
          Map.entry("jvm_threads_live_threads", Set.of()),
          Map.entry("jvm_threads_states_threads", Set.of("state")),
          Map.entry("jvm_classes_loaded_classes", Set.of()),
          Map.entry("process_files_open_files", Set.of()),
          Map.entry("process_files_max_files", Set.of()),
          Map.entry("process_uptime_seconds", Set.of()));

  /** The labels of each series, by its name in Prometheus. */
  private static Map<String, Set<String>> exported() {
    Map<String, Set<String>> exported = new HashMap<>(OF_LIBRARIES);
    for (Metric metric : DeclaredMetrics.all()) {
      for (String series : metric.series()) {
        Set<String> labels = new TreeSet<>(metric.labels());
        if (series.endsWith("_bucket")) {
          labels.add("le");
        }
        exported.put(series, labels);
      }
    }
    return exported;
  }

  private static List<String> expressions() throws IOException {
    List<String> expressions = new ArrayList<>();
    try (Stream<Path> dashboards = Files.list(OBSERVABILITY.resolve("grafana/dashboards"))) {
      for (Path file : dashboards.toList()) {
        JsonNode dashboard = Json.mapper().readTree(Files.readAllBytes(file));
        for (String name : List.of("expr", "query")) {
          dashboard.findValues(name).stream()
              .filter(JsonNode::isString)
              .map(JsonNode::stringValue)
              .forEach(expressions::add);
        }
      }
    }
    for (String rules : List.of("alerts.yml", "alerts.test.yml")) {
      Files.readAllLines(OBSERVABILITY.resolve("prometheus").resolve(rules)).stream()
          .filter(line -> !line.strip().startsWith("#"))
          .forEach(expressions::add);
    }
    return expressions;
  }

  private static List<MatchResult> used() throws IOException {
    return expressions().stream().flatMap(text -> USED.matcher(text).results()).toList();
  }

  @Test
  void everyMetricThatIsAskedForIsExported() throws IOException {
    Set<String> asked = used().stream().map(use -> use.group(1)).collect(Collectors.toSet());

    assertThat(asked).hasSizeGreaterThan(60).isSubsetOf(exported().keySet());
  }

  @Test
  void everyLabelThatIsAskedForIsSetByWhoeverExportsTheMetric() throws IOException {
    Map<String, Set<String>> exported = exported();
    for (MatchResult use : used()) {
      Set<String> known = exported.getOrDefault(use.group(1), Set.of());
      String labels = use.group(2) == null ? "" : use.group(2).replaceAll("\\\\?\"[^\"]*\"", "");
      assertThat(LABEL.matcher(labels).results().map(label -> label.group(1)))
          .as("%s of %s", labels, use.group(1))
          .allMatch(label -> COMMON_LABELS.contains(label) || known.contains(label));
    }
  }

  /** So no metric lacks a name that is checked, help, or a row on the page. */
  @Test
  void metersAreBuiltFromDeclaredMetricsOnly() {
    List<String> builders =
        MainClasses.files()
            .filter(MetricNamesTest::buildsMeters)
            .map(file -> file.thisClass().asInternalName())
            .toList();

    assertThat(builders)
        .containsExactlyInAnyOrder(
            "io/varve/metrics/Metric",
            // These two register rows of a gauge that they declare.
            "io/varve/host/spring/CopyMeters",
            "io/varve/ccr/FollowerMeters");
  }

  private static boolean buildsMeters(ClassModel file) {
    return StreamSupport.stream(file.constantPool().spliterator(), false)
        .filter(MemberRefEntry.class::isInstance)
        .map(MemberRefEntry.class::cast)
        .anyMatch(MetricNamesTest::buildsMeter);
  }

  private static boolean buildsMeter(MemberRefEntry member) {
    String owner = member.owner().asInternalName();
    String method = member.name().stringValue();
    return owner.startsWith(METERS)
        && (method.equals("builder")
            || (owner.equals(METERS + "MeterRegistry")
                && Set.of("counter", "timer", "gauge", "summary").contains(method)));
  }
}
