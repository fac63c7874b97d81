package io.varve.control.command;

import io.varve.cluster.AliasNames;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Templates;
import io.varve.cluster.Templates.Composable;
import io.varve.cluster.Templates.Content;
import io.varve.names.Wildcard;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decisions on templates. */
final class TemplateDecisions {

  private TemplateDecisions() {}

  static Decision put(ClusterState state, ClusterCommand.PutLegacyTemplate request) {
    Templates.Legacy template = request.template();
    Optional<ErrorBody> refused =
        exists("index_template", request.name(), request.create(), state.templates().legacy())
            .or(() -> invalid(request.name(), template.patterns()))
            .or(() -> refusedContent(template.content()));
    return refused
        .<Decision>map(Decision.Refused::new)
        .orElseGet(() ->
            Decision.of(
                new ClusterEvent.TemplatesChanged(
                    Map.of(request.name(), template), Map.of(), Map.of())));
  }

  static Decision put(ClusterState state, ClusterCommand.PutIndexTemplate request) {
    return refusal(state, request.name(), request.template(), request.create())
        .<Decision>map(Decision.Refused::new)
        .orElseGet(() ->
            Decision.of(
                new ClusterEvent.TemplatesChanged(
                    Map.of(), Map.of(request.name(), request.template()), Map.of())));
  }

  /** The reason for which the composable template can't be put, if any. */
  static Optional<ErrorBody> refusal(
      ClusterState state, String name, Composable template, boolean create) {
    return exists("index template", name, create, state.templates().composable())
        .or(() -> invalid(name, template.patterns()))
        .or(() -> missingComponents(state, name, template))
        .or(() -> samePriority(state, name, template))
        .or(() -> refusedContent(template.contentOrEmpty()))
        .or(() ->
            refusedContent(new TemplateComposer(state.templates()).compose(template))
                .map(error ->
                    ErrorBody.illegalArgument(
                            "composable template ["
                                + name
                                + "] template after composition with component templates "
                                + template.composedOf()
                                + " is invalid")
                        .causedBy(error)));
  }

  static Decision put(ClusterState state, ClusterCommand.PutComponentTemplate request) {
    Optional<ErrorBody> refused =
        exists(
                "component template",
                request.name(),
                request.create(),
                state.templates().components())
            .or(() -> invalid(request.name(), List.of("*")))
            .or(() -> refusedContent(request.template().content()));
    if (refused.isPresent()) {
      return new Decision.Refused(refused.get());
    }
    ClusterEvent.TemplatesChanged event =
        new ClusterEvent.TemplatesChanged(
            Map.of(), Map.of(), Map.of(request.name(), request.template()));
    return brokenBy(state.apply(event), request.name())
        .<Decision>map(Decision.Refused::new)
        .orElseGet(() -> Decision.of(event));
  }

  /** The reason for which a template that uses the component would become invalid, if any. */
  private static Optional<ErrorBody> brokenBy(ClusterState changed, String component) {
    TemplateComposer composer = new TemplateComposer(changed.templates());
    for (Map.Entry<String, Composable> user : changed.templates().composable().entrySet()) {
      Optional<ErrorBody> refused =
          user.getValue().composedOf().contains(component)
              ? refusedContent(composer.compose(user.getValue()))
              : Optional.empty();
      if (refused.isPresent()) {
        return Optional.of(
            ErrorBody.illegalArgument(
                    "updating component template ["
                        + component
                        + "] results in invalid composable template ["
                        + user.getKey()
                        + "] after templates are merged")
                .causedBy(refused.get()));
      }
    }
    return Optional.empty();
  }

  static Decision delete(ClusterState state, ClusterCommand.DeleteTemplate request) {
    Templates templates = state.templates();
    return switch (request.kind()) {
      case LEGACY -> {
        Set<String> names = matching(templates.legacy(), request.name());
        yield names.isEmpty() && !request.name().equals("*")
            ? new Decision.Refused(missing("index_template_missing_exception", request.name()))
            : changed(new ClusterEvent.TemplatesChanged(gone(names), Map.of(), Map.of()), names);
      }
      case COMPOSABLE -> {
        Set<String> names = matching(templates.composable(), request.name());
        yield names.isEmpty() && !request.name().equals("*")
            ? new Decision.Refused(missing("index_template_missing_exception", request.name()))
            : changed(new ClusterEvent.TemplatesChanged(Map.of(), gone(names), Map.of()), names);
      }
      case COMPONENT -> deleteComponents(templates, request.name());
    };
  }

  private static Decision deleteComponents(Templates templates, String pattern) {
    Set<String> names = matching(templates.components(), pattern);
    Set<String> users = new TreeSet<>();
    Set<String> used = new TreeSet<>();
    templates
        .composable()
        .forEach((user, template) -> {
          for (String part : template.composedOf()) {
            if (names.contains(part)) {
              users.add(user);
              used.add(part);
            }
          }
        });
    if (!users.isEmpty()) {
      return new Decision.Refused(
          ErrorBody.illegalArgument(
              "component templates "
                  + used
                  + " cannot be removed as they are still in use by index templates "
                  + users));
    }
    return names.isEmpty() && !pattern.equals("*")
        ? new Decision.Refused(missing("index_template_missing_exception", pattern))
        : changed(new ClusterEvent.TemplatesChanged(Map.of(), Map.of(), gone(names)), names);
  }

  private static Decision changed(ClusterEvent event, Set<String> names) {
    return names.isEmpty() ? Decision.nothing() : Decision.of(event);
  }

  private static Set<String> matching(Map<String, ?> templates, String pattern) {
    Set<String> names = new TreeSet<>();
    for (String part : pattern.split(",", -1)) {
      templates.keySet().stream().filter(name -> Wildcard.matches(part, name)).forEach(names::add);
    }
    return names;
  }

  private static <V> Map<String, @Nullable V> gone(Set<String> names) {
    Map<String, @Nullable V> gone = new HashMap<>();
    names.forEach(name -> gone.put(name, null));
    return gone;
  }

  private static ErrorBody missing(String type, String name) {
    return ErrorBody.of(404, type, "index_template [" + name + "] missing");
  }

  private static Optional<ErrorBody> exists(
      String what, String name, boolean create, Map<String, ?> present) {
    return create && present.containsKey(name)
        ? Optional.of(ErrorBody.illegalArgument(what + " [" + name + "] already exists"))
        : Optional.empty();
  }

  private static Optional<ErrorBody> missingComponents(
      ClusterState state, String name, Composable template) {
    List<String> missing =
        template.composedOf().stream()
            .filter(part -> !state.templates().components().containsKey(part))
            .toList();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            invalidTemplate(
                name,
                "index template ["
                    + name
                    + "] specifies component templates "
                    + missing
                    + " that do not exist"));
  }

  private static Optional<ErrorBody> samePriority(
      ClusterState state, String name, Composable template) {
    Map<String, List<String>> rivals = new TreeMap<>();
    state
        .templates()
        .composable()
        .forEach((other, present) -> {
          if (!other.equals(name)
              && present.priorityOrZero() == template.priorityOrZero()
              && Globs.anyOverlap(present.patterns(), template.patterns())) {
            rivals.put(other, present.patterns());
          }
        });
    if (rivals.isEmpty()) {
      return Optional.empty();
    }
    List<String> shown = new ArrayList<>();
    rivals.forEach((other, patterns) -> shown.add(other + " => " + patterns));
    return Optional.of(
        ErrorBody.illegalArgument(
            "index template ["
                + name
                + "] has index patterns "
                + template.patterns()
                + " matching patterns from existing templates ["
                + String.join(",", rivals.keySet())
                + "] with patterns ("
                + String.join(",", shown)
                + ") that have the same priority ["
                + template.priorityOrZero()
                + "], multiple index templates may not match during index creation, please use a"
                + " different priority"));
  }

  private static Optional<ErrorBody> invalid(String name, List<String> patterns) {
    List<String> problems = new ArrayList<>();
    check(name, "name", problems);
    if (!name.equals(name.toLowerCase(Locale.ROOT))) {
      problems.add("name must be lower cased");
    }
    for (String pattern : patterns) {
      check(pattern, "index_pattern [" + pattern + "]", problems);
      if (pattern.contains(":")) {
        problems.add("index_pattern [" + pattern + "] must not contain a ':'");
      }
    }
    if (problems.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder cause = new StringBuilder("Validation Failed: ");
    for (int i = 0; i < problems.size(); i++) {
      cause.append(i + 1).append(": ").append(problems.get(i)).append(';');
    }
    return Optional.of(invalidTemplate(name, cause.toString()));
  }

  private static void check(String text, String what, List<String> problems) {
    if (text.contains(" ")) {
      problems.add(what + " must not contain a space");
    }
    if (text.contains(",")) {
      problems.add(what + " must not contain a ','");
    }
    if (text.contains("#")) {
      problems.add(what + " must not contain a '#'");
    }
    if (text.startsWith("_")) {
      problems.add(what + " must not start with '_'");
    }
  }

  private static ErrorBody invalidTemplate(String name, String cause) {
    return ErrorBody.of(
        400,
        "invalid_index_template_exception",
        "index_template [" + name + "] invalid, cause [" + cause + "]");
  }

  private static Optional<ErrorBody> refusedContent(Content content) {
    Optional<ErrorBody> refused =
        IndexSettings.refusalAtCreation(new TreeMap<>(content.settingsOrNone()));
    for (String alias : content.aliasesOrNone().keySet()) {
      if (refused.isEmpty()) {
        // {index} is a placeholder for the index's name.
        refused = AliasNames.refusal(alias.replace("{index}", "index"));
      }
    }
    if (refused.isPresent()) {
      return refused;
    }
    MappingRules rules = MappingRules.of(content.settingsOrNone());
    return switch (Mapping.create(content.mappingOrNone(), rules)) {
      case Mapping.Merge.Refused(var error) -> Optional.of(error);
      case Mapping.Merge.Merged _ -> Optional.empty();
    };
  }
}
