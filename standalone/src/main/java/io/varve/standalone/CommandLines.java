package io.varve.standalone;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Creates the command lines of Varve's programs.
 *
 * <p>In addition to the options that a command declares, it can accept property options: the prefix
 * {@code varve.} admits {@code --varve.NAME VALUE} with any NAME. If an option is repeated, the
 * last value wins. For any error in the options, the command prints its usage and exits with code
 * 2. If the program can't start for a reason that the user can fix, it prints the reason and exits
 * with code 1.
 */
public final class CommandLines {

  private CommandLines() {}

  /**
   * Creates the command line of {@code command}.
   *
   * @param prefixes the prefixes of the property options that the command accepts
   * @param arguments the arguments to be parsed; every property option among them is declared
   */
  public static CommandLine of(Object command, Iterable<String> prefixes, String... arguments) {
    CommandLine line =
        new CommandLine(command)
            .setOverwrittenOptionsAllowed(true)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExpandAtFiles(false)
            .setExecutionExceptionHandler(CommandLines::failed);
    for (String prefix : prefixes) {
      declare(line.getCommandSpec(), "--" + prefix, arguments);
    }
    return line;
  }

  private static int failed(Exception e, CommandLine line, ParseResult parsed) throws Exception {
    if (!(e instanceof StartRefusedException)) {
      throw e;
    }
    line.getErr().println("varve: " + e.getMessage());
    return 1;
  }

  /** Declares each property name that occurs: picocli matches only complete option names. */
  private static void declare(CommandSpec spec, String prefix, String... arguments) {
    for (String argument : arguments) {
      String name = argument.split("=", 2)[0];
      if (name.startsWith(prefix)
          && name.length() > prefix.length()
          && spec.findOption(name) == null) {
        spec.addOption(
            OptionSpec.builder(name).type(String.class).paramLabel("VALUE").hidden(true).build());
      }
    }
  }

  /** Returns the values of the property options with this prefix, keyed by NAME. */
  public static Map<String, String> properties(ParseResult parsed, String prefix) {
    Map<String, String> values = new TreeMap<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      String name = option.longestName();
      if (name.startsWith("--" + prefix)) {
        values.put(name.substring(2 + prefix.length()), option.getValue());
      }
    }
    return values;
  }
}
