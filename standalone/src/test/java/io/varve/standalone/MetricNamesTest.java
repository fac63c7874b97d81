package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.StringEntry;
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
 * Checks that the dashboard and the alert rules use only metrics and labels that a service exports.
 *
 * <p>The exported metrics are derived from the class files that register meters: a metric's name is
 * a string constant of such a class, and the suffix that Prometheus appends depends on the types of
 * meters that the class builds.
 */
class MetricNamesTest {

  private static final Path OBSERVABILITY = Modules.ROOT.resolve("observability");
  private static final Pattern NAME = Pattern.compile("varve(\\.[a-z]+)+");
  private static final Pattern USED = Pattern.compile("\\b(varve_[a-z_]+)(?:\\{([^}]*)})?");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");

  /** Labels that Prometheus adds to every metric. */
  private static final Set<String> COMMON_LABELS = Set.of("job", "instance", "service");

  private static final String METERS = "io/micrometer/core/instrument/";
  private static final Map<String, List<String>> SUFFIXES =
      Map.of(
          "Gauge", List.of(""),
          "MultiGauge", List.of(""),
          "Counter", List.of("_total"),
          "FunctionCounter", List.of("_total"),
          "Timer", List.of("_seconds_count", "_seconds_sum", "_seconds_max", "_seconds_bucket"));

  /**
   * For each metric, by its name in Prometheus, all string constants of the classes that export it.
   */
  private static Map<String, Set<String>> exported() {
    Map<String, Set<String>> exported = new HashMap<>();
    MainClasses.files()
        .forEach(file -> {
          Set<String> texts = texts(file);
          for (String suffix : suffixes(file)) {
            texts.stream()
                .filter(text -> NAME.matcher(text).matches())
                .forEach(name ->
                    exported
                        .computeIfAbsent(name.replace('.', '_') + suffix, _ -> new TreeSet<>())
                        .addAll(texts));
          }
        });
    return exported;
  }

  private static Set<String> texts(ClassModel file) {
    return StreamSupport.stream(file.constantPool().spliterator(), false)
        .filter(StringEntry.class::isInstance)
        .map(entry -> ((StringEntry) entry).stringValue())
        .collect(Collectors.toSet());
  }

  private static Set<String> suffixes(ClassModel file) {
    return StreamSupport.stream(file.constantPool().spliterator(), false)
        .filter(MemberRefEntry.class::isInstance)
        .map(MemberRefEntry.class::cast)
        .flatMap(member -> kind(member).stream())
        .flatMap(kind -> SUFFIXES.get(kind).stream())
        .collect(Collectors.toSet());
  }

  private static List<String> kind(MemberRefEntry member) {
    String owner = member.owner().asInternalName();
    String method = member.name().stringValue();
    if (owner.equals(METERS + "MeterRegistry")) {
      return method.equals("counter") ? List.of("Counter") : List.of();
    }
    String kind = owner.startsWith(METERS) ? owner.substring(METERS.length()) : "";
    return method.equals("builder") && SUFFIXES.containsKey(kind) ? List.of(kind) : List.of();
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
          .filter(line -> line.matches("\\s*(- )?(expr|series):.*"))
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

    assertThat(asked).hasSizeGreaterThan(25).isSubsetOf(exported().keySet());
  }

  @Test
  void everyMetricThatIsExportedIsOnThePage() throws IOException {
    String page = Files.readString(Modules.ROOT.resolve("docs/operations/metrics.md"));
    Set<String> names =
        MainClasses.files()
            .filter(file -> !suffixes(file).isEmpty())
            .flatMap(file -> texts(file).stream())
            .filter(text -> NAME.matcher(text).matches())
            .map(text -> text.replace('.', '_'))
            .collect(Collectors.toSet());

    assertThat(names).hasSizeGreaterThan(50).allMatch(page::contains, "is on the page");
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
}
