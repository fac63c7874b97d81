package io.varve.standalone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * Options that are passed on to each service: {@code --store DIR} selects a folder as the segment
 * store; {@code --store.NAME VALUE} and {@code --varve.NAME VALUE} set any other property.
 */
public final class ServiceOptions {

  /** Prefixes of the property options; see {@link CommandLines}. */
  public static final List<String> PREFIXES = List.of("store.", "varve.");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--store", paramLabel = "DIR", description = "folder of the segment store")
  private Optional<Path> store = Optional.empty();

  /** Returns the command-line arguments for each service. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    store.ifPresent(directory -> {
      arguments.add("--varve.store.type=directory");
      arguments.add("--varve.store.directory=" + directory.toAbsolutePath().normalize());
    });
    ParseResult parsed = command.commandLine().getParseResult();
    CommandLines.properties(parsed, "store.")
        .forEach((name, value) -> arguments.add("--varve.store." + name + "=" + value));
    CommandLines.properties(parsed, "varve.")
        .forEach((name, value) -> arguments.add("--varve." + name + "=" + value));
    return arguments;
  }
}
