package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.standalone.bundle.Bundle;
import io.varve.standalone.cluster.LocalCluster;
import io.varve.standalone.demo.Demo;
import io.varve.standalone.demo.Down;
import io.varve.standalone.load.Load;
import io.varve.standalone.status.Status;
import io.varve.standalone.tail.Tail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The launcher's table of commands: it has the options that the commands accept, the launcher runs
 * each of its commands, and the completion that is made from it works in the shells.
 */
@Timeout(120)
class LauncherCommandsTest {

  private static final Path LAUNCHER = Modules.ROOT.resolve("varve");

  private static final Map<String, CommandLine> COMMANDS =
      Map.of(
          "up", UpCommand.commandLine(),
          "cluster", LocalCluster.commandLine(),
          "demo", Demo.commandLine(),
          "down", Down.commandLine(),
          "status", Status.commandLine(),
          "load", Load.commandLine(),
          "tail", Tail.commandLine(),
          "bundle", Bundle.commandLine());

  @TempDir private Path folder;

  /** A row of the table. */
  private record Row(String name, String words, List<String> options, String description) {}

  private static Map<String, Row> table() throws IOException {
    String launcher = Files.readString(LAUNCHER);
    String table =
        launcher.substring(
            launcher.indexOf("<<'COMMANDS'\n") + "<<'COMMANDS'\n".length(),
            launcher.indexOf("\nCOMMANDS\n"));
    Map<String, Row> rows = new TreeMap<>();
    for (String line : table.split("\n")) {
      String[] columns = line.split("\\|", -1);
      assertThat(columns).as(line).hasSize(4);
      List<String> options = columns[2].isEmpty() ? List.of() : List.of(columns[2].split(" "));
      rows.put(columns[0], new Row(columns[0], columns[1], options, columns[3]));
    }
    return rows;
  }

  @Test
  void theTableHasTheOptionsOfEachCommand() throws IOException {
    Map<String, Row> table = table();
    COMMANDS.forEach((name, command) -> {
      List<String> accepted = new ArrayList<>();
      for (OptionSpec option : command.getCommandSpec().options()) {
        accepted.add(option.longestName() + value(option));
      }
      assertThat(table.get(name).options()).as(name).hasSameElementsAs(accepted);
      assertThat(table.get(name).words())
          .as(name)
          .isEqualTo(
              String.join(
                  " ",
                  command.getCommandSpec().positionalParameters().stream()
                      .map(PositionalParamSpec::paramLabel)
                      .toList()));
    });
  }

  private static String value(OptionSpec option) {
    if (option.arity().max() == 0) {
      return "";
    }
    String label = option.paramLabel();
    return "=" + (label.contains("=") ? "CONDITIONS" : label.replace('|', ','));
  }

  @Test
  void theLauncherRunsEachCommandOfTheTableAndNoOther() throws IOException {
    String dispatch = Files.readString(LAUNCHER);
    dispatch = dispatch.substring(dispatch.indexOf("command=${1:-help}"));
    TreeSet<String> run = new TreeSet<>();
    Pattern.compile("(?m)^  ([a-z]+)(?: \\| [-a-z| ]+)?\\)")
        .matcher(dispatch)
        .results()
        .forEach(branch -> run.add(branch.group(1)));

    assertThat(run).isEqualTo(table().keySet());
  }

  @Test
  void helpShowsEachCommandWithItsOptions() throws Exception {
    String help = output("sh", LAUNCHER.toString(), "help");

    for (Row row : table().values()) {
      assertThat(help).contains("./varve " + row.name(), row.description());
      for (String option : row.options()) {
        assertThat(help).contains("[" + option.replace('=', ' ').replace(',', '|') + "]");
      }
    }
    assertThat(help.lines()).allMatch(line -> line.length() <= 112);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'' | demo down up cluster status load security tail bundle compose bench test completion help",
        "st | status",
        "up '' | --data --port --log.flush --log-format --secrets --store --search-node --secured",
        "up --log | --log.flush --log-format",
        "up --log.flush '' | always os",
        "up --port '' | ",
        "compose '' | check init",
        "compose c | check",
        "tail --from e | end",
        "tail b --from '' | beginning end",
        "load x.ndjson --ind | --index",
        "load da | data.ndjson",
        "up --data d | dir",
        "nothing '' | "
      })
  void bashCompletes(String typed, String expected) throws Exception {
    Files.createFile(folder.resolve("data.ndjson"));
    Files.createDirectory(folder.resolve("dir"));
    String script =
        """
        source <(sh '%s' completion bash)
        COMP_WORDS=(./varve %s)
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _varve
        echo "${COMPREPLY[@]}"
        """
            .formatted(LAUNCHER, typed);

    String completed = output("bash", "-c", script).strip();

    String wanted = expected == null ? "" : expected;
    if (typed.startsWith("load da") || wanted.equals("dir")) {
      assertThat(completed.split(" ")).contains(wanted);
    } else {
      assertThat(completed).isEqualTo(wanted);
    }
  }

  @Test
  void zshReadsItsCompletion() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/zsh")) || Files.isExecutable(Path.of("/bin/zsh")),
        "there is no zsh here");
    String script =
        """
        autoload -Uz compinit && compinit -u -d '%s'
        source <(sh '%s' completion zsh)
        print $_comps[varve]
        """
            .formatted(folder.resolve("dump"), LAUNCHER);

    assertThat(output("zsh", "-f", "-c", script).strip()).isEqualTo("_varve");
  }

  @Test
  void zshCompletionHasEachCommandAndOption() throws Exception {
    String completion = output("sh", LAUNCHER.toString(), "completion", "zsh");

    for (Row row : table().values()) {
      assertThat(completion).contains("    '" + row.name() + ":");
      for (String option : row.options()) {
        String name = option.split("=", 2)[0];
        assertThat(completion).contains("'" + name + (option.contains("=") ? ":value:" : "'"));
      }
    }
  }

  @Test
  void anotherShellIsRefused() throws Exception {
    Process process =
        new ProcessBuilder("sh", LAUNCHER.toString(), "completion", "fish")
            .redirectErrorStream(true)
            .start();

    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo("varve: ./varve completion needs bash or zsh.\n");
    assertThat(process.waitFor()).isOne();
  }

  private String output(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(Arrays.toString(command)).isZero();
    return out;
  }
}
