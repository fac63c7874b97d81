package io.varve.standalone;

import static io.varve.standalone.YamlFiles.list;
import static io.varve.standalone.YamlFiles.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks that each alert has a section in docs/operations/alerts.md, to which its annotation {@code
 * runbook} leads, a case of {@code promtool test} in which it fires and one in which it is quiet.
 */
class AlertsPageTest {

  private static final Path RULES = Modules.ROOT.resolve("observability/prometheus");
  private static final String PAGE = "docs/operations/alerts.md";
  private static final Pattern SECTION =
      Pattern.compile(
          "(?m)^## (Varve\\w+)\\n\\n\\* \\*\\*Meaning\\*\\*: .+\\n\\* \\*\\*Action\\*\\*: .+$");

  private final List<String> alerts = new ArrayList<>();
  private final List<String> runbooks = new ArrayList<>();
  private final List<String> firing = new ArrayList<>();
  private final List<String> quiet = new ArrayList<>();

  AlertsPageTest() {
    for (Object group : list(yaml(RULES.resolve("alerts.yml")), "groups")) {
      for (Object rule : list((Map<?, ?>) group, "rules")) {
        alerts.add(String.valueOf(((Map<?, ?>) rule).get("alert")));
        runbooks.add(
            String.valueOf(((Map<?, ?>) ((Map<?, ?>) rule).get("annotations")).get("runbook")));
      }
    }
    for (Object test : list(yaml(RULES.resolve("alerts.test.yml")), "tests")) {
      for (Object one : list((Map<?, ?>) test, "alert_rule_test")) {
        Map<?, ?> expected = (Map<?, ?>) one;
        (expected.containsKey("exp_alerts") ? firing : quiet)
            .add(String.valueOf(expected.get("alertname")));
      }
    }
  }

  @Test
  void eachAlertFiresInACaseAndIsQuietInAnother() {
    assertThat(alerts).hasSizeGreaterThan(20).doesNotHaveDuplicates();
    assertThat(firing).containsExactlyInAnyOrderElementsOf(alerts);
    assertThat(quiet).containsExactlyInAnyOrderElementsOf(alerts);
  }

  @Test
  void eachAlertHasASection() throws IOException {
    String page = Files.readString(Modules.ROOT.resolve(PAGE));

    assertThat(SECTION.matcher(page).results().map(section -> section.group(1)))
        .containsExactlyInAnyOrderElementsOf(alerts);
  }

  @Test
  void theRunbookOfAnAlertIsItsSection() {
    assertThat(runbooks)
        .containsExactlyElementsOf(
            alerts.stream().map(alert -> PAGE + "#" + alert.toLowerCase(Locale.ROOT)).toList());
  }
}
