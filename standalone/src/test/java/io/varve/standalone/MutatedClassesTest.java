package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The names in the poms for mutation testing: PIT ignores a name without a class, so a class that
 * was renamed would no longer be mutated.
 */
class MutatedClassesTest {

  private static final Pattern CLASSES = Pattern.compile("<targetClasses>([^<]+)</targetClasses>");
  private static final Pattern TESTS = Pattern.compile("<targetTests>([^<]+)</targetTests>");
  private static final String ENABLED = "<skipPitest>false</skipPitest>";

  /** The top-level classes of a source folder. */
  private static Set<String> classes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      Set<String> names = new TreeSet<>();
      files
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .filter(file -> file.endsWith(".java"))
          .forEach(file -> names.add(file.replace(".java", "").replace('/', '.')));
      return names;
    }
  }

  private static List<String> names(Pattern list, String pom) {
    return list.matcher(pom)
        .results()
        .flatMap(match -> Stream.of(match.group(1).split(",")))
        .map(String::strip)
        .toList();
  }

  /** PIT's asterisk stands for any characters; nested classes have the file of their outer one. */
  private static Pattern glob(String name) {
    return Pattern.compile(Pattern.quote(name.replace("$*", "")).replace("*", "\\E.*\\Q"));
  }

  private static void assertExist(Pattern list, String sources) throws IOException {
    for (Path module : Modules.folders()) {
      for (String name : names(list, Files.readString(module.resolve("pom.xml")))) {
        assertThat(classes(module.resolve(sources)))
            .as("%s in the pom of %s", name, Modules.ROOT.relativize(module))
            .anyMatch(type -> glob(name).matcher(type).matches());
      }
    }
  }

  @Test
  void eachMutatedClassExists() throws IOException {
    assertExist(CLASSES, "src/main/java");
  }

  @Test
  void eachTestThatMustNoticeExists() throws IOException {
    assertExist(TESTS, "src/test/java");
  }

  @Test
  void theModulesThatNameClassesAreThoseThatAreMutated() throws IOException {
    int mutated = 0;
    for (Path module : Modules.folders()) {
      String pom = Files.readString(module.resolve("pom.xml"));
      boolean named = !names(CLASSES, pom).isEmpty() && !names(TESTS, pom).isEmpty();
      assertThat(pom.contains(ENABLED)).as("%s", module).isEqualTo(named);
      mutated += named ? 1 : 0;
    }
    assertThat(mutated).isGreaterThan(5);
  }
}
