package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the tests, in all modules, that a page names as {@code Class#method}. The method may be one
 * of the contract that the class extends.
 */
final class NamedTests {

  private static final Pattern NAMED = Pattern.compile("`(\\w+Test)#(\\w+)`");
  private static final Pattern CONTRACT =
      Pattern.compile("\\bclass \\w+ extends (\\w+Contract)\\b");
  private static final Pattern TESTS = Pattern.compile("\\w+(Test|Contract)\\.java");

  /**
   * A tag whose tests a regular run excludes: {@code excluded-test-tags} in the root {@code
   * pom.xml}.
   */
  private static final Pattern EXCLUDED = Pattern.compile("@Tag\\(\"(nightly|chaos|docker)\"\\)");

  private final Map<String, String> sources = new HashMap<>();

  private NamedTests() {}

  static NamedTests read() throws IOException {
    NamedTests tests = new NamedTests();
    for (Path module : Modules.folders()) {
      if (Files.isDirectory(module.resolve("src/test/java"))) {
        tests.readAll(module.resolve("src/test/java"));
      }
    }
    return tests;
  }

  private void readAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(NamedTests::hasTests).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        sources.merge(name, Files.readString(file), String::concat);
      }
    }
  }

  private static boolean hasTests(Path file) {
    return TESTS.matcher(file.getFileName().toString()).matches();
  }

  /** The sources of a class and of its contract. */
  private String source(String name) {
    String own = sources.getOrDefault(name, "");
    return CONTRACT
        .matcher(own)
        .results()
        .map(found -> sources.getOrDefault(found.group(1), ""))
        .reduce(own, String::concat);
  }

  static List<MatchResult> in(String text) {
    return NAMED.matcher(text).results().toList();
  }

  void assertExist(String where, String text) {
    for (MatchResult test : in(text)) {
      assertThat(source(test.group(1)))
          .as("%s names %s", where, test.group())
          .containsPattern("\\bvoid\\s+" + test.group(2) + "\\(");
    }
  }

  /** Returns the tag of the test or its class for which a regular run excludes it. */
  Optional<String> excludingTag(MatchResult test) {
    String source = source(test.group(1));
    Matcher type = Pattern.compile("\\bclass " + test.group(1) + "\\b").matcher(source);
    Matcher method = Pattern.compile("\\bvoid\\s+" + test.group(2) + "\\(").matcher(source);
    if (!type.find() || !method.find()) {
      return Optional.empty();
    }
    // A blank line precedes the annotations of a method.
    int annotations = source.lastIndexOf("\n\n", method.start());
    String tags = source.substring(0, type.start()) + source.substring(annotations, method.start());
    return EXCLUDED.matcher(tags).results().map(tag -> tag.group(1)).findFirst();
  }

  boolean hasClass(String name) {
    return sources.containsKey(name);
  }
}
