package io.varve.standalone;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table of modules in {@code ARCHITECTURE.md}: for each module its packages below {@code
 * io.varve} and the modules that it imports.
 *
 * @param rows the rows, keyed by the module's folder
 */
record ModuleMap(Map<String, Row> rows) {

  /** One module. */
  record Row(Set<String> packages, Set<String> imports) {

    private String line(String module, String description) {
      return "| `%s` | %s | %s | %s |"
          .formatted(module, cell(packages), description, cell(imports));
    }

    private static String cell(Set<String> names) {
      return names.isEmpty()
          ? "none"
          : names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(" "));
    }
  }

  /** Placeholder for a missing description of a module. */
  static final String UNDESCRIBED = "(to be described)";

  private static final Pattern LINE =
      Pattern.compile(
          "\\| `([\\w/-]+)` \\| ((?:`\\w+` ?)+)\\| (.+) \\| (none|(?:`[\\w-]+` ?)+) ?\\|");

  private static final Pattern NAME = Pattern.compile("`([\\w-]+)`");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package io\\.varve\\.(\\w+)");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?io\\.varve\\.(\\w+)\\.");

  static ModuleMap onPage(List<String> lines) {
    Map<String, Row> rows = new TreeMap<>();
    for (String line : lines) {
      Matcher row = LINE.matcher(line);
      if (row.matches()) {
        rows.put(row.group(1), new Row(names(NAME, row.group(2)), names(NAME, row.group(4))));
      }
    }
    return new ModuleMap(rows);
  }

  /**
   * @param sources the sources of each module, keyed by its folder
   */
  static ModuleMap inSources(Map<String, List<String>> sources) {
    Map<String, String> moduleByPackage = new HashMap<>();
    sources.forEach((module, texts) ->
        names(PACKAGE, String.join("\n", texts))
            .forEach(name -> moduleByPackage.merge(name, module, ModuleMap::refuseBoth)));
    Map<String, Row> rows = new TreeMap<>();
    sources.forEach((module, texts) -> {
      String all = String.join("\n", texts);
      Set<String> imports = new TreeSet<>();
      for (String name : names(IMPORT, all)) {
        String imported = moduleByPackage.getOrDefault(name, "no module has io.varve." + name);
        if (!imported.equals(module)) {
          imports.add(nameOf(imported));
        }
      }
      rows.put(module, new Row(names(PACKAGE, all), imports));
    });
    return new ModuleMap(rows);
  }

  private static String refuseBoth(String one, String other) {
    throw new AssertionError("a package is in two modules: " + one + " and " + other);
  }

  /** The artifact of a module has the name of its folder. */
  static String nameOf(String module) {
    return module.substring(module.lastIndexOf('/') + 1);
  }

  static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the page with these rows: descriptions are kept, and rows of new modules follow the
   * last row.
   */
  String written(List<String> lines) {
    Map<String, Row> missing = new TreeMap<>(rows);
    StringBuilder page = new StringBuilder();
    boolean inTable = false;
    for (String line : lines) {
      Matcher row = LINE.matcher(line);
      if (row.matches()) {
        inTable = true;
        Row now = missing.remove(row.group(1));
        if (now != null) {
          page.append(now.line(row.group(1), row.group(3))).append('\n');
        }
        continue;
      }
      if (inTable) {
        missing.forEach((module, now) -> page.append(now.line(module, UNDESCRIBED)).append('\n'));
        inTable = false;
      }
      page.append(line).append('\n');
    }
    return page.toString();
  }
}
