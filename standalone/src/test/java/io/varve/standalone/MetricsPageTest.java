package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.metrics.Metric;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/operations/metrics.md lists every metric; with {@code -Dvarve.docs.renew} writes
 * the page.
 */
class MetricsPageTest {

  private static final Path PAGE = Modules.ROOT.resolve("docs/operations/metrics.md");

  private static String page() throws IOException {
    String page;
    try (InputStream template =
        Objects.requireNonNull(MetricsPageTest.class.getResourceAsStream("/metrics-page.md"))) {
      page = new String(template.readAllBytes(), StandardCharsets.UTF_8);
    }
    for (Map.Entry<String, List<Metric>> metrics : DeclaredMetrics.byClass().entrySet()) {
      String place = "{{" + metrics.getKey() + "}}";
      assertThat(page).as("the template").containsOnlyOnce(place);
      page = page.replace(place, table(metrics.getValue()));
    }
    assertThat(page).as("the template").doesNotContain("{{");
    return page;
  }

  private static String table(List<Metric> metrics) {
    return "| metric | labels | meaning |\n|---|---|---|\n"
        + metrics.stream().map(MetricsPageTest::row).collect(Collectors.joining("\n"));
  }

  private static String row(Metric metric) {
    return "| `%s` | %s | %s |"
        .formatted(
            series(metric),
            metric.labels().stream().map(l -> "`" + l + "`").collect(Collectors.joining(", ")),
            metric.help());
  }

  private static String series(Metric metric) {
    String name = metric.name().replace('.', '_');
    return switch (metric.kind()) {
      case GAUGE -> name;
      case COUNTER -> name + "_total";
      case TIMER -> name + "_seconds_{count,sum,max}";
      case HISTOGRAM -> name + "_seconds_{count,sum,max,bucket}";
    };
  }

  @Test
  void thePageListsEveryMetric() throws IOException {
    String page = page();
    if (System.getProperty("varve.docs.renew") != null) {
      Files.writeString(PAGE, page);
    }

    assertThat(PAGE).content().isEqualTo(page);
  }

  @Test
  void namesAreUnique() {
    assertThat(DeclaredMetrics.all()).hasSizeGreaterThan(100);
    assertThat(DeclaredMetrics.all()).extracting(Metric::name).doesNotHaveDuplicates();
  }
}
