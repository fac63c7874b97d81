package io.varve.cluster;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What indices are made from, by name. An index that a composable template matches gets nothing
 * from legacy ones.
 */
public record Templates(
    Map<String, Legacy> legacy,
    Map<String, Composable> composable,
    Map<String, Component> components) {

  public static final Templates NONE = new Templates(Map.of(), Map.of(), Map.of());

  /**
   * What a template gives to an index.
   *
   * @param settings flat, under full names; null when the template says nothing of them
   * @param mapping its JSON as it was put; null when the template says nothing of it
   * @param aliases null when the template says nothing of them
   */
  public record Content(
      @Nullable Map<String, String> settings,
      @Nullable String mapping,
      @Nullable Map<String, AliasMetadata> aliases) {

    public static final Content EMPTY = new Content(null, null, null);

    public Content {
      settings = settings == null ? null : Map.copyOf(settings);
      aliases = aliases == null ? null : Map.copyOf(aliases);
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

  /** All that match are applied, those of higher order over those of lower. */
  public record Legacy(
      List<String> patterns, int order, @Nullable Integer version, Content content) {
    public Legacy {
      patterns = List.copyOf(patterns);
    }
  }

  /**
   * The one of highest priority is applied, over its components.
   *
   * @param meta its JSON; Varve keeps it and makes nothing of it
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

  /** A part that composable templates are made of. */
  public record Component(Content content, @Nullable Long version, @Nullable String meta) {
    public Component {
      Objects.requireNonNull(content, "content");
    }
  }

  public Templates {
    legacy = Map.copyOf(legacy);
    composable = Map.copyOf(composable);
    components = Map.copyOf(components);
  }

  /** A {@code null} takes a template away. */
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
