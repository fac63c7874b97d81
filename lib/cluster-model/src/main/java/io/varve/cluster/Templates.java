package io.varve.cluster;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The index templates by name. Legacy templates do not apply to an index that a composable template
 * matches.
 */
public record Templates(
    Map<String, Legacy> legacy,
    Map<String, Composable> composable,
    Map<String, Component> components) {

  public static final Templates NONE = new Templates(Map.of(), Map.of(), Map.of());

  /**
   * The content that a template contributes to an index.
   *
   * @param settings flat, under full names; null if absent
   * @param mapping its JSON as it was put; null if absent
   * @param aliases null if absent
   */
  public record Content(
      @Nullable Map<String, String> settings,
      @Nullable String mapping,
      @Nullable Map<String, AliasMetadata> aliases) {

    public static final Content EMPTY = new Content(null, null, null);

    public Content {
      settings = settings == null ? null : SharedMap.of(settings);
      aliases = aliases == null ? null : SharedMap.of(aliases);
    }

    public Map<String, String> settingsOrNone() {
      return settings == null ? Map.of() : settings;
    }

    public String mappingOrNone() {
      return mapping == null ? "{}" : mapping;
    }

    public Map<String, AliasMetadata> aliasesOrNone() {
      return aliases == null ? Map.of() : aliases;
    }
  }

  /** A legacy template. All matching ones are applied; a higher order overrides a lower one. */
  public record Legacy(
      List<String> patterns, int order, @Nullable Integer version, Content content) {
    public Legacy {
      patterns = List.copyOf(patterns);
    }
  }

  /**
   * A composable template. Of the matching ones, the one with the highest priority is applied; it
   * overrides its components.
   *
   * @param meta user data as JSON
   */
  public record Composable(
      List<String> patterns,
      List<String> composedOf,
      @Nullable Long priority,
      @Nullable Long version,
      @Nullable String meta,
      @Nullable Content content) {
    public Composable {
      patterns = List.copyOf(patterns);
      composedOf = List.copyOf(composedOf);
    }

    public long priorityOrZero() {
      return priority == null ? 0 : priority;
    }

    public Content contentOrEmpty() {
      return content == null ? Content.EMPTY : content;
    }
  }

  /** A component of composable templates. */
  public record Component(Content content, @Nullable Long version, @Nullable String meta) {
    public Component {
      Objects.requireNonNull(content, "content");
    }
  }

  public Templates {
    legacy = SharedMap.of(legacy);
    composable = SharedMap.of(composable);
    components = SharedMap.of(components);
  }

  /** These templates with changes applied; {@code null} removes a template. */
  Templates with(ClusterEvent.TemplatesChanged changes) {
    return new Templates(
        changed(legacy, changes.legacy()),
        changed(composable, changes.composable()),
        changed(components, changes.components()));
  }

  private static <V> Map<String, V> changed(
      Map<String, V> present, Map<String, @Nullable V> changes) {
    Map<String, V> result = new TreeMap<>(present);
    changes.forEach((name, value) -> {
      if (value == null) {
        result.remove(name);
      } else {
        result.put(name, value);
      }
    });
    return result;
  }
}
