package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.beans.Introspector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * {@code ARCHITECTURE.md} against the sources: its module map names each module with its packages
 * and imports, neither more nor fewer; classes, tests and invariants that the page names exist.
 */
class ArchitecturePageTest {

  /** What the page and the sources say of one module. */
  private record Row(Set<String> packages, Set<String> imports) {}

  private static final Path PAGE = Modules.ROOT.resolve("ARCHITECTURE.md");

  private static final Pattern MODULE =
      Pattern.compile(
          "^\\| `([\\w/-]+)` \\| ((?:`\\w+` ?)+)\\| .+ \\| (none|(?:`[\\w-]+` ?)+) ?\\|$");

  private static final Pattern INVARIANT =
      Pattern.compile("^\\| `([a-z]+[A-Z]\\w+)` \\| .+ \\| .*\\|$");
  private static final Pattern CHECKED = Pattern.compile("\\bclass (\\w+) implements Invariant\\b");
  private static final Pattern CODE = Pattern.compile("`([\\w-]+)`");
  private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)`");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package io\\.varve\\.(\\w+)");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?io\\.varve\\.(\\w+)\\.");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|interface|enum) (\\w+)");

  private static String page = "";
  private static List<String> lines = List.of();

  /** The main sources of each module, by its folder below the root. */
  private static final Map<String, List<String>> MAIN = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(PAGE);
    lines = page.lines().toList();
    for (Path module : Modules.folders()) {
      List<String> main = sources(module.resolve("src/main/java"));
      if (!main.isEmpty()) {
        MAIN.put(Modules.ROOT.relativize(module).toString().replace('\\', '/'), main);
      }
    }
  }

  private static List<String> sources(Path folder) throws IOException {
    List<String> sources = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          sources.add(Files.readString(file));
        }
      }
    }
    return sources;
  }

  private static Map<String, Row> onThePage() {
    Map<String, Row> rows = new TreeMap<>();
    for (String line : lines) {
      MODULE
          .matcher(line)
          .results()
          .forEach(
              row -> rows.put(row.group(1), new Row(words(row.group(2)), words(row.group(3)))));
    }
    return rows;
  }

  private static Set<String> words(String cell) {
    return found(CODE, cell);
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Map<String, Row> inTheSources() {
    Map<String, String> moduleByPackage = new HashMap<>();
    MAIN.forEach((module, sources) ->
        found(PACKAGE, String.join("\n", sources))
            .forEach(name -> moduleByPackage.merge(name, module, ArchitecturePageTest::shared)));
    Map<String, Row> rows = new TreeMap<>();
    MAIN.forEach((module, sources) -> {
      Set<String> imports = new TreeSet<>();
      for (String name : found(IMPORT, String.join("\n", sources))) {
        String imported = moduleByPackage.getOrDefault(name, "no module has io.varve." + name);
        if (!imported.equals(module)) {
          imports.add(imported.substring(imported.lastIndexOf('/') + 1));
        }
      }
      rows.put(module, new Row(found(PACKAGE, String.join("\n", sources)), imports));
    });
    return rows;
  }

  private static String shared(String one, String other) {
    throw new AssertionError("a package is in two modules: " + one + " and " + other);
  }

  @Test
  void theModuleMapIsThatOfTheSources() {
    Map<String, Row> expected = inTheSources();
    Map<String, Row> rows = onThePage();

    assertThat(rows.keySet()).as("modules with a row").isEqualTo(expected.keySet());
    expected.forEach((module, row) -> {
      assertThat(rows.get(module).packages())
          .as("packages of %s", module)
          .isEqualTo(row.packages());
      assertThat(rows.get(module).imports()).as("imports of %s", module).isEqualTo(row.imports());
    });
  }

  @Test
  void everyTypeThatIsNamedExists() throws IOException {
    NamedTests tests = NamedTests.read();
    Set<String> declared =
        MAIN.values().stream()
            .flatMap(List::stream)
            .flatMap(source -> DECLARED.matcher(source).results())
            .map(match -> match.group(1))
            .collect(Collectors.toSet());

    assertThat(found(TYPE, page))
        .hasSizeGreaterThan(90)
        .allMatch(
            type -> declared.contains(type) || tests.hasClass(type), "is a type of the sources");
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    assertThat(NamedTests.in(page)).hasSizeGreaterThan(15);
    NamedTests.read().assertExist("ARCHITECTURE.md", page);
  }

  @Test
  void everyInvariantOfTheSimulatorHasItsRow() {
    Set<String> named =
        lines.stream()
            .flatMap(line -> found(INVARIANT, line).stream())
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> checked =
        MAIN.getOrDefault("testing/cluster-testkit", List.of()).stream()
            .flatMap(source -> CHECKED.matcher(source).results())
            .map(match -> Introspector.decapitalize(match.group(1)))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(named).isNotEmpty().isEqualTo(checked);
  }
}
