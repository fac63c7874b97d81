package io.varve.standalone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A command line of {@code --name value} pairs, checked against the names that the command knows.
 */
public final class Options {

  private final Map<String, String> values = new LinkedHashMap<>();

  private Options() {}

  /** Parses, or explains on the error stream what was wrong and ends the process with status 2. */
  public static Options parseOrExit(String[] arguments, Set<String> known) {
    try {
      return parse(arguments, known);
    } catch (IllegalArgumentException e) {
      System.err.println("varve: " + e.getMessage());
      System.exit(2);
      throw e;
    }
  }

  /** Parses, or throws what is wrong. */
  public static Options parse(String[] arguments, Set<String> known) {
    Options options = new Options();
    for (int i = 0; i < arguments.length; i += 2) {
      String name = arguments[i];
      if (!name.startsWith("--") || !isKnown(name.substring(2), known)) {
        throw new IllegalArgumentException(
            "unknown option [" + name + "]; known are " + names(known));
      }
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException("option [" + name + "] needs a value");
      }
      options.values.put(name.substring(2), arguments[i + 1]);
    }
    return options;
  }

  /** A known name that ends with a dot stands for all that begin with it. */
  private static boolean isKnown(String name, Set<String> known) {
    return known.contains(name)
        || known.stream().anyMatch(k -> k.endsWith(".") && name.startsWith(k) && !name.equals(k));
  }

  /** What was given for names that begin so, by the rest of the name. */
  public Map<String, String> all(String prefix) {
    Map<String, String> found = new TreeMap<>();
    values.forEach((name, value) -> {
      if (name.startsWith(prefix)) {
        found.put(name.substring(prefix.length()), value);
      }
    });
    return found;
  }

  private static String names(Set<String> known) {
    return known.stream().sorted().map(n -> "--" + n).toList().toString();
  }

  public String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** A whole number within the range, both ends included. */
  public int number(String name, int otherwise, int least, int most) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "option [--" + name + "] needs a whole number, was [" + value + "]", e);
    }
    throw new IllegalArgumentException(
        "option [--" + name + "] must be " + least + " to " + most + ", was [" + value + "]");
  }

  /**
   * The arguments of each service: {@code --store DIR} makes a folder its segment store, {@code
   * --store.NAME VALUE} and {@code --varve.NAME VALUE} set any of its properties.
   */
  public List<String> serviceArguments() {
    List<String> arguments = new ArrayList<>();
    text("store")
        .ifPresent(directory -> {
          arguments.add("--varve.store.type=directory");
          arguments.add(
              "--varve.store.directory=" + Path.of(directory).toAbsolutePath().normalize());
        });
    all("store.").forEach((name, value) -> arguments.add("--varve.store." + name + "=" + value));
    all("varve.").forEach((name, value) -> arguments.add("--varve." + name + "=" + value));
    return arguments;
  }

  /** The data folder: {@code --data}, or {@code name} under the user's data home. */
  public Path data(String name) {
    return Path.of(text("data").orElseGet(() -> defaultData(name))).toAbsolutePath().normalize();
  }

  private static String defaultData(String name) {
    String dataHome = System.getenv("XDG_DATA_HOME");
    Path base =
        dataHome == null || dataHome.isBlank()
            ? Path.of(System.getProperty("user.home"), ".local", "share")
            : Path.of(dataHome);
    return base.resolve("varve").resolve(name).toString();
  }
}
