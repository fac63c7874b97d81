package io.varve.standalone;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Command lines of Varve's programs.
 *
 * <p>Besides the options that a command declares, it can accept property options: {@code
 * --varve.NAME VALUE} with the prefix {@code varve.}, for any NAME. An option that is given twice
 * has its last value. Any error in the options is reported with the command's usage and exit code
 * 2.
 */
public final class CommandLines {

  private CommandLines() {}

  /**
   * The command line of {@code command}.
   *
   * @param prefixes of the property options that the command accepts
   * @param arguments the arguments that will be parsed, from which the property options are
   *     declared
   */
  public static CommandLine of(Object command, Iterable<String> prefixes, String... arguments) {
    CommandLine line =
        new CommandLine(command)
            .setOverwrittenOptionsAllowed(true)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExpandAtFiles(false);
    for (String prefix : prefixes) {
      declare(line.getCommandSpec(), "--" + prefix, arguments);
    }
    return line;
  }

  /** Picocli knows only whole option names, so each name that occurs becomes an option. */
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

  /** The values of the property options with this prefix, by NAME. */
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
