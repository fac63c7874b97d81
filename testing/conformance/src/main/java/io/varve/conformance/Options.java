package io.varve.conformance;

import io.varve.standalone.CommandLines;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@link Conformance}. */
@Command(
    name = "varve test --conformance",
    description = "Runs OpenSearch's REST tests.",
    sortOptions = false)
class Options {

  /** The server to test. */
  static final class Server {
    @Option(
        names = "--url",
        paramLabel = "URL",
        description = "the server to test; without it a standalone is started and stopped")
    private Optional<String> url = Optional.empty();

    @Option(
        names = "--secured",
        description = "start the standalone with security and TLS; the tests are the user admin")
    private boolean secured;
  }

  @ArgGroup private Server server = new Server();

  @Option(
      names = "--target",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "core,wider",
      description = {
        "core, wider, all, or files with lines \"+ pattern\" and \"- pattern\"",
        "(default: ${DEFAULT-VALUE})"
      })
  private List<String> targets;

  @Option(
      names = "--only",
      paramLabel = "PATTERN,...",
      split = ",",
      description = "only these folders, files or tests, for example bulk,search/10*")
  private List<String> only = List.of();

  @Option(names = "--verbose", description = "print every request and response")
  private boolean verbose;

  @Option(names = "--fail-fast", description = "stop at the first failure")
  private boolean failFast;

  @Option(
      names = "--passed",
      paramLabel = "FILE",
      description = "write the names of the tests that passed to this file")
  private Optional<Path> passedFile = Optional.empty();

  /**
   * Parses a command line.
   *
   * @throws CommandLine.ParameterException for an unknown option or a missing value
   */
  static Options parse(String... arguments) {
    Options options = new Options();
    CommandLines.of(options, List.of(), arguments).parseArgs(arguments);
    return options;
  }

  /** The URL of the server to test; empty if a standalone is to be started. */
  Optional<String> url() {
    return server.url;
  }

  /** Whether the standalone has security. */
  boolean secured() {
    return server.secured;
  }

  /** Names of built-in target lists, or paths of files with such lists. */
  List<String> targets() {
    return List.copyOf(targets);
  }

  /** Patterns, at least one of which a test must match; empty for all tests. */
  List<String> only() {
    return List.copyOf(only);
  }

  boolean verbose() {
    return verbose;
  }

  boolean failFast() {
    return failFast;
  }

  /** The file to which the names of passed tests are written. */
  Optional<Path> passedFile() {
    return passedFile;
  }
}
