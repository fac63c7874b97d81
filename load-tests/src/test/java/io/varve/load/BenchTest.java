package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

class BenchTest {

  private static ParseResult parsed(String... arguments) {
    return Bench.commandLine().parseArgs(arguments).subcommand();
  }

  private static Object value(ParseResult parsed, String option) {
    return parsed.commandSpec().findOption(option).getValue();
  }

  @Test
  void anOptionThatIsNotKnownOrHasNoValueIsRefused() {
    assertThat(value(parsed("bulk", "--runs", "7"), "--runs")).isEqualTo(7);
    assertThat(value(parsed("bulk"), "--runs")).isEqualTo(3);
    assertThat(refused("bulk", "--rums", "7")).contains("Unknown option", "--rums", "--runs");
    assertThat(refused("bulk", "--runs"))
        .contains("Missing required parameter for option '--runs'");
  }

  @ParameterizedTest
  @EnumSource
  void theTablesOfSourcesAreWhole(SourceTables tables) {
    List<String> lines = tables.text().lines().toList();
    assertThat(lines.getFirst()).startsWith("Source: ");
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).startsWith("|---")) {
        long columns = bars(lines.get(i));
        for (int row = i - 1; row < lines.size() && lines.get(row).startsWith("|"); row++) {
          assertThat(bars(lines.get(row))).as(lines.get(row)).isEqualTo(columns);
        }
      }
    }
    assertThat(lines).filteredOn(line -> line.startsWith("|---")).isNotEmpty();
  }

  private static long bars(String row) {
    return row.chars().filter(c -> c == '|').count();
  }

  /** Runs a command line that exits with code 2, and returns its error output. */
  private static String refused(String... arguments) {
    StringWriter errors = new StringWriter();
    CommandLine line = Bench.commandLine().setErr(new PrintWriter(errors));
    assertThat(line.execute(arguments)).isEqualTo(2);
    return errors.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "bulk,--shape,boats",
    "bulk,--log.flush,never",
    "bulk,--replicas,'none,two'",
    "budget,--shape,boats",
    "budget,--replicas,two",
    "floor,--runs,many",
    "search,--documents,many",
    "search,--server,both",
    "copies,--parts,'replicas,all'",
    "copies,--table-replicas,'1,many'",
    "copies,--minutes,many",
    "codecs,--shapes,boats",
    "ars,--illnesses,'cpu,flu'",
    "ars,--loop,round",
    "ars,--coordinators,many",
    "ccr,--parts,'finish,start'",
    "ccr,--tracks,boats",
    "growth,--shards,many",
    "rereplication,--types,copies",
    "security,--patterns,many",
    "rereplication,--methods,'peek,glance'"
  })
  void aMalformedValueIsRefused(String measurement, String option, String value) {
    assertThat(refused(measurement, option, value)).contains("Invalid value for option '" + option);
  }

  @Test
  void aPauseMustHaveADuration() {
    assertThat(refused("copies", "--minutes", "0")).contains("--minutes must be >= 1, was 0");
    assertThat(refused("copies", "--pause-millis", "-1"))
        .contains("--pause-millis must be >= 1, was -1");
    assertThat(refused("copies", "--pause-interval-seconds", "0"))
        .contains("--pause-interval-seconds must be >= 1, was 0");
  }

  @Test
  void aPeerWithoutItsFollowerIsRefused() {
    assertThat(refused("ccr", "--peer-url", "http://127.0.0.1:1"))
        .contains("--peer-url and --peer-follower-url must be given together");
  }

  @Test
  void aMeasurementMustBeNamed() {
    assertThat(refused()).contains("Missing required subcommand", "bulk", "ars");
    assertThat(refused("cat")).contains("Unmatched argument", "cat");
  }

  @Test
  void eachMeasurementHasItsOwnDefaults() {
    assertThat(value(parsed("bulk"), "--documents")).isEqualTo(100_000);
    assertThat(value(parsed("search"), "--documents")).isEqualTo(300_000);
    assertThat(value(parsed("ars"), "--documents")).isEqualTo(20_000);
    assertThat(value(parsed("budget"), "--warm-up")).isEqualTo(10);
    assertThat(value(parsed("security"), "--warm-up")).isEqualTo(10);
    assertThat(value(parsed("bulk"), "--heap")).isEqualTo("2g");
    assertThat(value(parsed("ars"), "--heap")).isEqualTo("256m");
  }

  @Test
  void growthOnOneMachineHasItsOwnOptions() {
    ParseResult parsed = parsed("growth", "machine", "--parts", "shards,replicas").subcommand();

    assertThat(value(parsed, "--parts").toString()).isEqualTo("[SHARDS, REPLICAS]");
    assertThat(value(parsed, "--heap")).isEqualTo("1g");
    assertThat(refused("growth", "machine", "--parts", "shards,all"))
        .contains("Invalid value for option '--parts");
    assertThat(refused("growth", "machine", "--indices", "3,20"))
        .contains("20 shards can't be divided among 3 indices");
    assertThat(refused("growth", "machine", "--followers", "4"))
        .contains("--followers must be from 0 to 3, was 4");
  }

  /**
   * {@code start} starts its peer itself, once for each run; no peer has the requests of {@code
   * rereplication}, {@code growth} measures classes, and {@code security} compares two clusters.
   */
  @Test
  void everyMeasurementOfARunningClusterTakesAPeer() {
    for (CommandLine measurement : Bench.commandLine().getSubcommands().values()) {
      CommandSpec spec = measurement.getCommandSpec();
      if (!List.of("codecs", "floor", "start", "rereplication", "growth", "security")
          .contains(spec.name())) {
        assertThat(spec.optionsMap()).as(spec.name()).containsKeys("--peer-url", "--peer-pids");
      }
    }
  }

  @Test
  void theLastValueOfAnOptionCounts() {
    assertThat(value(parsed("ars", "--runs", "1", "--runs", "2"), "--runs")).isEqualTo(2);
  }
}
