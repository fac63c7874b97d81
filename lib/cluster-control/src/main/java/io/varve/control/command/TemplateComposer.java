package io.varve.control.command;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.Templates;
import io.varve.cluster.Templates.Composable;
import io.varve.cluster.Templates.Content;
import io.varve.cluster.Templates.Legacy;
import io.varve.names.Wildcard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Computes the content that templates contribute to a new index.
 *
 * <p>Of the composable templates that match, the one of highest priority overrides its components;
 * later components override earlier ones. Legacy templates are used only if no composable one
 * matches: all that match, higher orders override lower ones. The request overrides them all.
 * Settings and aliases are replaced one by one, mappings are merged as described in {@link
 * TemplateMappings}. A pattern {@code *} doesn't match a hidden index.
 */
public final class TemplateComposer {

  private final Templates templates;

  public TemplateComposer(Templates templates) {
    this.templates = templates;
  }

  /** A composable template and its name. */
  public record Named(String name, Composable template) {}

  /** The content for an index of that name, before its request is applied. */
  Content contentFor(String index, boolean hidden, Content request) {
    Content given =
        winner(index, hidden)
            .map(winner -> compose(winner.template()))
            .orElseGet(() -> composeLegacy(index, hidden));
    boolean deep = winner(index, hidden).isEmpty();
    return new Content(
        given.settingsOrNone(),
        TemplateMappings.merge(given.mappingOrNone(), request.mappingOrNone(), deep),
        merged(named(given.aliasesOrNone(), index), request.aliasesOrNone()));
  }

  /** The composable template that applies to an index of that name. */
  public Optional<Named> winner(String index, boolean hidden) {
    return templates.composable().entrySet().stream()
        .filter(e -> matches(e.getValue().patterns(), index, hidden))
        .map(e -> new Named(e.getKey(), e.getValue()))
        .max(
            Comparator.comparingLong((Named named) -> named.template().priorityOrZero())
                .thenComparing(Named::name, Comparator.reverseOrder()));
  }

  /** A composable template merged with its components. */
  public Content compose(Composable template) {
    Map<String, String> settings = new TreeMap<>();
    Map<String, AliasMetadata> aliases = new TreeMap<>();
    String mapping = "{}";
    List<Content> parts = new ArrayList<>();
    for (String name : template.composedOf()) {
      Templates.Component component = templates.components().get(name);
      if (component != null) {
        parts.add(component.content());
      }
    }
    parts.add(template.contentOrEmpty());
    for (Content part : parts) {
      settings.putAll(part.settingsOrNone());
      aliases.putAll(part.aliasesOrNone());
      mapping = TemplateMappings.merge(mapping, part.mappingOrNone(), false);
    }
    return new Content(settings, mapping, aliases);
  }

  private Content composeLegacy(String index, boolean hidden) {
    Map<String, String> settings = new TreeMap<>();
    Map<String, AliasMetadata> aliases = new TreeMap<>();
    String mapping = "{}";
    List<Legacy> matching =
        templates.legacy().values().stream()
            .filter(template -> matches(template.patterns(), index, hidden))
            .sorted(Comparator.comparingInt(Legacy::order))
            .toList();
    for (Legacy template : matching) {
      settings.putAll(template.content().settingsOrNone());
      aliases.putAll(template.content().aliasesOrNone());
      mapping = TemplateMappings.merge(mapping, template.content().mappingOrNone(), true);
    }
    return new Content(settings, mapping, aliases);
  }

  private static boolean matches(List<String> patterns, String index, boolean hidden) {
    return (!hidden || !patterns.contains("*"))
        && patterns.stream().anyMatch(pattern -> Wildcard.matches(pattern, index));
  }

  /** Replaces {@code {index}} in the name of an alias by the index. */
  static Map<String, AliasMetadata> named(Map<String, AliasMetadata> aliases, String index) {
    Map<String, AliasMetadata> named = new TreeMap<>();
    aliases.forEach((name, alias) -> named.put(name.replace("{index}", index), alias));
    return named;
  }

  private static Map<String, AliasMetadata> merged(
      Map<String, AliasMetadata> under, Map<String, AliasMetadata> over) {
    Map<String, AliasMetadata> merged = new TreeMap<>(under);
    merged.putAll(over);
    return merged;
  }

  /** The other templates, legacy ones too, that overlap with these patterns, by name. */
  public Map<String, List<String>> overlapping(String name, List<String> patterns) {
    Map<String, List<String>> overlapping = new TreeMap<>();
    templates
        .legacy()
        .forEach((other, template) -> {
          if (Globs.anyOverlap(patterns, template.patterns())) {
            overlapping.put(other, template.patterns());
          }
        });
    templates
        .composable()
        .forEach((other, template) -> {
          if (!other.equals(name) && Globs.anyOverlap(patterns, template.patterns())) {
            overlapping.put(other, template.patterns());
          }
        });
    return overlapping;
  }
}
