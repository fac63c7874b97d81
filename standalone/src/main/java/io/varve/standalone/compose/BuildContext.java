package io.varve.standalone.compose;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an image is built from. Its base is pinned, and every file that the Dockerfile copies is
 * part of the build context: a path is left out if the last line of {@code .dockerignore} that
 * matches it, or one of its folders, does not begin with {@code !}. Otherwise the build fails.
 *
 * @param dockerfile the text of the Dockerfile
 * @param dockerignore the text of {@code .dockerignore}
 */
record BuildContext(String dockerfile, String dockerignore) {

  private static final String RULE = "build-context";

  List<Problem> problems() {
    List<Problem> problems = new ArrayList<>(ImageRules.ofDockerfile(dockerfile));
    dockerfile
        .lines()
        .filter(line -> line.startsWith("COPY "))
        .flatMap(BuildContext::sources)
        .flatMap(source -> missing(source).stream())
        .forEach(problems::add);
    return problems;
  }

  /** Returns the files that an instruction copies from the build context. */
  private static Stream<String> sources(String copy) {
    List<String> words = Arrays.asList(copy.split("\\s+"));
    if (words.stream().anyMatch(word -> word.startsWith("--from="))) {
      return Stream.empty();
    }
    return words.subList(1, words.size() - 1).stream().filter(word -> !word.startsWith("--"));
  }

  private Optional<Problem> missing(String source) {
    return isIgnored(Path.of(source).normalize())
        ? Optional.of(
            new Problem(RULE, "Dockerfile", "copies what .dockerignore leaves out: " + source))
        : Optional.empty();
  }

  private boolean isIgnored(Path source) {
    boolean ignored = false;
    for (String line : dockerignore.lines().map(String::strip).toList()) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      boolean included = line.startsWith("!");
      if (matches(included ? line.substring(1) : line, source)) {
        ignored = !included;
      }
    }
    return ignored;
  }

  private static boolean matches(String pattern, Path source) {
    var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    for (Path path = source; path != null; path = path.getParent()) {
      if (matcher.matches(path)) {
        return true;
      }
    }
    return false;
  }
}
