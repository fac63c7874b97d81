package io.varve.conformance.suite;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which a test is skipped: server versions, and features that the runner
 * lacks.
 *
 * @param versions the version ranges, such as {@code " - 2.99.99"}, or {@code all}; empty for none
 */
public record SkipRule(String versions, List<String> features, String reason) {

  static final SkipRule NONE = new SkipRule("", List.of(), "");

  private static final Set<String> SUPPORTED =
      Set.of(
          "allowed_warnings",
          "arbitrary_key",
          "catch_unauthorized",
          "close_to",
          "contains",
          "default_shards",
          "embedded_stash_key",
          "headers",
          "node_selector",
          "regex",
          "stash_in_key",
          "stash_in_path",
          "transform_and_set",
          "warnings",
          "yaml");

  public SkipRule {
    features = List.copyOf(features);
  }

  static SkipRule parse(Map<String, @Nullable Object> argument) {
    return new SkipRule(
        StepParser.text(argument.get("version")).strip(),
        StepParser.list(argument.get("features")),
        StepParser.text(argument.get("reason")));
  }

  /** Returns why the test is skipped on this server; empty if it runs. */
  public Optional<String> reasonToSkip(Version server) {
    for (String feature : features) {
      if (!SUPPORTED.contains(feature)) {
        return Optional.of("the runner lacks the feature [" + feature + "]");
      }
    }
    return coversVersion(server)
        ? Optional.of("not for version [" + versions + "]: " + reason)
        : Optional.empty();
  }

  private boolean coversVersion(Version server) {
    if (versions.isEmpty()) {
      return false;
    }
    if (versions.equals("all")) {
      return true;
    }
    for (String range : versions.split(",")) {
      String[] bounds = range.split("-", -1);
      if (bounds.length != 2) {
        throw new SuiteException("[" + range + "] is not a version range");
      }
      Version from = bounds[0].isBlank() ? Version.FIRST : Version.of(bounds[0].strip());
      Version to = bounds[1].isBlank() ? server : Version.of(bounds[1].strip());
      if (from.compareTo(server) <= 0 && server.compareTo(to) <= 0) {
        return true;
      }
    }
    return false;
  }
}
