package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingsPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "../..", "docs", "api", "settings.md")
          .normalize();

  private static final String RENEW =
      "mvn -pl lib/cluster-model -am test -Dtest=SettingsPageTest -Dvarve.docs.renew";

  @Test
  void docsApiSettingsIsWhatTheRegistriesSay() throws IOException {
    if (System.getProperty("varve.docs.renew") != null) {
      Files.writeString(PAGE, SettingsPage.text());
    }
    assertThat(PAGE)
        .as("docs/api/settings.md differs from the registries; renew it with: %s", RENEW)
        .hasContent(SettingsPage.text());
  }
}
