package io.varve.coordinator.rest.template;

import io.varve.cluster.ClusterState;
import io.varve.cluster.Templates;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.TemplateComposer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Creates warnings about templates whose patterns overlap. */
final class TemplateWarnings {

  private TemplateWarnings() {}

  static Optional<String> of(ClusterState state, ClusterCommand command) {
    return switch (command) {
      case ClusterCommand.PutIndexTemplate put ->
          warning(
              "index template [" + put.name() + "]",
              put.template().patterns(),
              overlapping(state, put.template().patterns(), true),
              "existing older templates",
              "this template [" + put.name() + "] will take precedence during new index creation");
      case ClusterCommand.PutLegacyTemplate put ->
          warning(
              "legacy template [" + put.name() + "]",
              put.template().patterns(),
              overlapping(state, put.template().patterns(), false),
              "existing composable templates",
              "this template ["
                  + put.name()
                  + "] may be ignored in favor of a composable template at index creation time");
      default -> Optional.empty();
    };
  }

  private static Map<String, List<String>> overlapping(
      ClusterState state, List<String> patterns, boolean legacy) {
    Templates all = state.templates();
    Templates others =
        legacy
            ? new Templates(all.legacy(), Map.of(), Map.of())
            : new Templates(Map.of(), all.composable(), Map.of());
    return new TemplateComposer(others).overlapping("", patterns);
  }

  private static Optional<String> warning(
      String what,
      List<String> patterns,
      Map<String, List<String>> others,
      String kind,
      String consequence) {
    if (others.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder shown = new StringBuilder();
    new TreeMap<>(others)
        .forEach((name, theirs) ->
            shown.append(shown.isEmpty() ? "" : ",").append(name).append(" => ").append(theirs));
    return Optional.of(
        what
            + " has index patterns "
            + patterns
            + " matching patterns from "
            + kind
            + " ["
            + String.join(",", others.keySet())
            + "] with patterns ("
            + shown
            + "); "
            + consequence);
  }
}
