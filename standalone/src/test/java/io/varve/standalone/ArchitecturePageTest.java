package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.beans.Introspector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Checks {@code ARCHITECTURE.md} against the sources: its module map lists exactly the modules with
 * their packages and imports; classes, tests and invariants that the page names exist.
 */
class ArchitecturePageTest {

  private static final Path PAGE = Modules.ROOT.resolve("ARCHITECTURE.md");

  private static final Pattern INVARIANT =
      Pattern.compile("^\\| `([a-z]+[A-Z]\\w+)` \\| .+ \\| .*\\|$");
  private static final Pattern CHECKED = Pattern.compile("\\bclass (\\w+) implements Invariant\\b");
  private static final Pattern TYPE = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)`");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|record|interface|enum) (\\w+)");

  private static final Pattern ARROWS = Pattern.compile("  ([\\w-]+) --> ([\\w &-]+)");

  private static final String RENEW =
      "mvn -pl standalone -am test -Dtest=ArchitecturePageTest -Dvarve.docs.renew";

  private static String page = "";
  private static List<String> lines = List.of();

  /** The main sources of each module, keyed by its folder below the root. */
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

  @Test
  void theModuleMapIsThatOfTheSources() throws IOException {
    ModuleMap now = ModuleMap.inSources(MAIN);
    if (System.getProperty("varve.docs.renew") != null) {
      Files.writeString(PAGE, now.written(lines));
    }

    assertThat(ModuleMap.onPage(Files.readAllLines(PAGE)).rows())
        .as("packages and imports of each module; renew them with: %s", RENEW)
        .containsExactlyInAnyOrderEntriesOf(now.rows());
    assertThat(page).doesNotContain(ModuleMap.UNDESCRIBED);
  }

  @Test
  void everyArrowOfThePictureIsAnImport() {
    Map<String, Set<String>> imports = new TreeMap<>();
    ModuleMap.inSources(MAIN)
        .rows()
        .forEach((module, row) -> imports.put(ModuleMap.nameOf(module), row.imports()));

    List<Matcher> arrows = lines.stream().map(ARROWS::matcher).filter(Matcher::matches).toList();

    assertThat(arrows).hasSizeGreaterThan(8);
    for (Matcher arrow : arrows) {
      assertThat(imports.getOrDefault(arrow.group(1), Set.of()))
          .as("arrows of %s", arrow.group(1))
          .contains(arrow.group(2).split(" & "));
    }
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

    assertThat(ModuleMap.names(TYPE, page))
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
            .flatMap(line -> ModuleMap.names(INVARIANT, line).stream())
            .collect(Collectors.toCollection(TreeSet::new));

    Set<String> checked =
        MAIN.getOrDefault("testing/cluster-testkit", List.of()).stream()
            .flatMap(source -> CHECKED.matcher(source).results())
            .map(match -> Introspector.decapitalize(match.group(1)))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(named).isNotEmpty().isEqualTo(checked);
  }
}
