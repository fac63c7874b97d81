package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.BrokerAcl;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/operations/kafka-brokers.md has the rules of the embedded broker; with {@code
 * -Dvarve.docs.renew} writes the page.
 */
class KafkaBrokersPageTest {

  private static final Path PAGE = Modules.ROOT.resolve("docs/operations/kafka-brokers.md");
  private static final String CLUSTER = "books";
  private static final List<BrokerAcl> ACLS = new KafkaAcls(CLUSTER).all();

  private static String page() throws IOException {
    String page;
    try (InputStream template =
        Objects.requireNonNull(
            KafkaBrokersPageTest.class.getResourceAsStream("/kafka-brokers-page.md"))) {
      page = new String(template.readAllBytes(), StandardCharsets.UTF_8);
    }
    for (Map.Entry<String, String> part :
        Map.of(
                "{{authorization}}",
                authorization(),
                "{{commands}}",
                commands(),
                "{{permissions}}",
                permissions())
            .entrySet()) {
      assertThat(page).as("the template").containsOnlyOnce(part.getKey());
      page = page.replace(part.getKey(), part.getValue());
    }
    return page;
  }

  private static String authorization() {
    return BrokerFiles.authorization(CLUSTER).entrySet().stream()
        .map(property -> property.getKey() + "=" + property.getValue())
        .collect(Collectors.joining("\n"));
  }

  private static String commands() {
    return ACLS.stream().map(acl -> acl.command("kafka-1:9092")).collect(Collectors.joining("\n"));
  }

  private static String permissions() {
    Map<String, List<String>> operations = new LinkedHashMap<>();
    for (BrokerAcl acl : ACLS) {
      operations
          .computeIfAbsent(
              "| `%s` | %s `%s%s` |"
                  .formatted(
                      acl.principal(),
                      acl.resource().name().toLowerCase(Locale.ROOT),
                      acl.name(),
                      acl.prefixed() ? "*" : ""),
              _ -> new ArrayList<>())
          .add(acl.operation().name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }
    return "| user | resource | operations |\n|---|---|---|\n"
        + operations.entrySet().stream()
            .map(row -> row.getKey() + " " + String.join(", ", row.getValue()) + " |")
            .collect(Collectors.joining("\n"));
  }

  @Test
  void thePageHasTheRulesOfTheEmbeddedBroker() throws IOException {
    String page = page();
    if (System.getProperty("varve.docs.renew") != null) {
      Files.writeString(PAGE, page);
    }

    assertThat(PAGE).content().isEqualTo(page);
  }
}
