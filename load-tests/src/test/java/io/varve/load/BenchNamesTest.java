package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The launcher's table of commands, from which completion is made, has the benches that exist. */
class BenchNamesTest {

  @Test
  void theLauncherKnowsEachBench() throws IOException {
    Path launcher = Path.of(System.getProperty("basedir", "."), "..", "varve");
    String row =
        Files.readAllLines(launcher).stream()
            .filter(line -> line.startsWith("bench|"))
            .findFirst()
            .orElseThrow();

    assertThat(List.of(row.split("\\|")[1].split(" ")))
        .containsExactlyInAnyOrderElementsOf(names());
  }

  /** Without aliases. */
  private static Set<String> names() {
    return Bench.commandLine().getSubcommands().values().stream()
        .map(CommandLine::getCommandName)
        .collect(Collectors.toSet());
  }
}
