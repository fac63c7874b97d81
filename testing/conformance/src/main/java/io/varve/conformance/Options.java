package io.varve.conformance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param url the server to test; without it a standalone is started
 * @param targets names of our lists, or files with such a list
 * @param only patterns that a test must fit besides
 * @param passedFile where to write the names of the tests that passed
 */
record Options(
    @Nullable String url,
    List<String> targets,
    List<String> only,
    boolean verbose,
    boolean failFast,
    @Nullable Path passedFile) {

  static final String USAGE =
      """
      Runs OpenSearch's REST tests.

        --url URL           the server to test; without it a standalone is started and ended
        --target NAME,...   core, wider, all, or files with lines "+ pattern" and "- pattern"
                            (default core,wider)
        --only PATTERN,...  only these folders, files or tests, for example bulk,search/10*
        --verbose           print every request and answer
        --fail-fast         end at the first failure
        --passed FILE       write the names of the tests that passed into this file
      """;

  static Options parse(String[] arguments) {
    String url = null;
    List<String> targets = new ArrayList<>();
    List<String> only = new ArrayList<>();
    boolean verbose = false;
    boolean failFast = false;
    Path passedFile = null;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--url" -> url = value(arguments, ++i);
        case "--target" -> targets.addAll(List.of(value(arguments, ++i).split(",")));
        case "--only" -> only.addAll(List.of(value(arguments, ++i).split(",")));
        case "--passed" -> passedFile = Path.of(value(arguments, ++i));
        case "--verbose" -> verbose = true;
        case "--fail-fast" -> failFast = true;
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    if (targets.isEmpty()) {
      targets.addAll(List.of("core", "wider"));
    }
    return new Options(url, targets, only, verbose, failFast, passedFile);
  }

  private static String value(String[] arguments, int index) {
    if (index >= arguments.length) {
      throw new IllegalArgumentException(arguments[index - 1] + " lacks its value");
    }
    return arguments[index];
  }
}
