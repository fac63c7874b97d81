package io.varve.testkit.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tables in the documentation equal the results of the simulation. Takes minutes. */
@Tag("nightly")
class SelectionPageTest {

  private static final Path PAGE =
      Path.of(System.getProperty("basedir", "."), "../..", "docs", "selection.md").normalize();
  private static final String BEGIN = "<!-- simulated: begin -->\n";
  private static final String END = "<!-- simulated: end -->\n";
  private static final int SEEDS = 3;

  private static final String RENEW =
      "mvn -Dexcluded-test-tags= -pl testing/simulator-tests -am test -Dtest=SelectionPageTest"
          + " -Dvarve.docs.renew";

  @Test
  void theTablesAreWhatTheSimulationGives() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    int until = page.indexOf(END);
    String renewed =
        page.substring(0, from) + new SelectionTables(SEEDS).markdown() + page.substring(until);
    if (System.getProperty("varve.docs.renew") != null) {
      Files.writeString(PAGE, renewed);
    }
    assertThat(PAGE)
        .as("docs/selection.md differs from the simulation; renew it with: %s", RENEW)
        .hasContent(renewed);
  }
}
