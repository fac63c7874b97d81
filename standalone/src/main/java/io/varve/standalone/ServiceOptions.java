package io.varve.standalone;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * Options that are passed on to each service: {@code --store DIR} selects a folder as the segment
 * store; {@code --store.NAME VALUE} and {@code --varve.NAME VALUE} set any other property.
 *
 * <p>Secrets are not accepted as options, because every user of a machine can read the command
 * lines of its processes. Each file in the folder {@code --secrets DIR} is a property: its name is
 * that of the property, its content the value. Spring reads them as a configuration tree.
 */
public final class ServiceOptions {

  /** Prefixes of the property options; see {@link CommandLines}. */
  public static final List<String> PREFIXES = List.of("store.", "varve.");

  /** Last words of the names of secret properties. */
  private static final Set<String> SECRET_WORDS = Set.of("key", "password", "secret", "token");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--secrets",
      paramLabel = "DIR",
      description = "folder whose files are secret properties, such as varve.store.s3.secret-key")
  private Optional<Path> secrets = Optional.empty();

  @Option(names = "--store", paramLabel = "DIR", description = "folder of the segment store")
  private Optional<Path> store = Optional.empty();

  @Option(
      names = "--log-format",
      paramLabel = "text|json",
      defaultValue = "text",
      description =
          "lines of text, or JSON in the Elastic Common Schema (default: ${DEFAULT-VALUE})")
  private LogFormat logFormat = LogFormat.TEXT;

  /** The format of the lines of a log. */
  public enum LogFormat {
    TEXT,
    JSON
  }

  public LogFormat logFormat() {
    return logFormat;
  }

  /**
   * Returns the command-line arguments for each service.
   *
   * @throws ParameterException a secret is given as an option, or the folder of secrets is missing
   */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    if (logFormat == LogFormat.JSON) {
      arguments.add("--varve.log.format=json");
    }
    secrets.ifPresent(folder -> arguments.add(tree(folder)));
    store.ifPresent(directory -> {
      arguments.add("--varve.store.type=directory");
      arguments.add("--varve.store.directory=" + directory.toAbsolutePath().normalize());
    });
    ParseResult parsed = command.commandLine().getParseResult();
    CommandLines.properties(parsed, "store.")
        .forEach((name, value) -> arguments.add(property("varve.store." + name, value)));
    CommandLines.properties(parsed, "varve.")
        .forEach((name, value) -> arguments.add(property("varve." + name, value)));
    return arguments;
  }

  private String tree(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new ParameterException(
          command.commandLine(), "--secrets: " + folder + " is not a folder");
    }
    return "--spring.config.import=configtree:" + folder.toAbsolutePath().normalize() + "/";
  }

  private String property(String name, String value) {
    if (isSecret(name)) {
      throw new ParameterException(
          command.commandLine(),
          name
              + " is a secret, which a command line would show: write it to the file DIR/"
              + name
              + ", and use --secrets DIR");
    }
    return "--" + name + "=" + value;
  }

  private static boolean isSecret(String name) {
    String[] words = name.toLowerCase(Locale.ROOT).split("[.-]");
    return SECRET_WORDS.contains(words[words.length - 1]);
  }
}
