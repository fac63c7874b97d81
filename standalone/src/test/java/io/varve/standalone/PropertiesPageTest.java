package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Compares {@code docs/operations/settings.md} with the records of {@link ConfigurationProperties}:
 * every property has a row, with its default.
 */
class PropertiesPageTest {

  private static final Path PAGE = Modules.ROOT.resolve("docs/operations/settings.md");

  /** The first two columns of a row that begins with a property. */
  private static final Pattern ROW = Pattern.compile("^\\| (`[a-z_]+\\..+?) \\| (.*?) \\|");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** Defaults that differ by service; the page describes them in words. */
  private static final List<String> DESCRIBED = List.of("varve.node-name");

  /** Default by property, as the page has it; {@code null} if one row lists several properties. */
  private static final Map<String, @Nullable String> ON_PAGE = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    for (String line : Files.readAllLines(PAGE)) {
      ROW.matcher(line).results().forEach(row -> addRow(row.group(1), row.group(2)));
    }
  }

  /** A name that begins with a dot replaces the last part of the first name of its row. */
  private static void addRow(String names, String defaultText) {
    List<String> codes = CODE.matcher(names).results().map(code -> code.group(1)).toList();
    String first = codes.getFirst();
    String prefix = first.substring(0, first.lastIndexOf('.'));
    for (String code : codes) {
      ON_PAGE.put(
          code.startsWith(".") ? prefix + code : code,
          codes.size() > 1 ? null : defaultText.replace("`", ""));
    }
  }

  @Test
  void everyPropertyHasARow() {
    assertThat(ON_PAGE.keySet()).containsAll(properties().keySet());
  }

  @Test
  void everyDefaultIsTheOneOfThePage() {
    TreeSet<String> different = new TreeSet<>();
    properties()
        .forEach((name, value) -> {
          String shown = ON_PAGE.get(name);
          if (shown != null
              && !value.isEmpty()
              && !DESCRIBED.contains(name)
              && !shown.equals(value)) {
            different.add(name + ": " + value + ", on the page " + shown);
          }
        });

    assertThat(different).isEmpty();
  }

  /** Default by property; empty if it has none. */
  private static Map<String, String> properties() {
    Map<String, String> found = new TreeMap<>();
    MainClasses.imported().stream()
        .filter(type -> type.isAnnotatedWith(ConfigurationProperties.class))
        .map(type -> type.reflect())
        .forEach(
            type -> add(type.getAnnotation(ConfigurationProperties.class).value(), type, found));
    // Binding is relaxed: the page has these names in OpenSearch's form.
    rename(found, "thread-pool.search.size", "thread_pool.search.size");
    rename(found, "thread-pool.search.queue-size", "thread_pool.search.queue_size");
    assertThat(found).as("properties of all services").hasSizeGreaterThan(40);
    return found;
  }

  private static void rename(Map<String, String> found, String name, String pageName) {
    found.put(pageName, found.remove(name));
  }

  private static void add(String prefix, Class<?> type, Map<String, String> found) {
    RecordComponent[] components = type.getRecordComponents();
    Parameter[] parameters = type.getDeclaredConstructors()[0].getParameters();
    for (int i = 0; i < components.length; i++) {
      String last = components[i].getType() == Map.class ? ".NAME" : "";
      String name = prefix + "." + kebab(components[i].getName()) + last;
      if (components[i].getType().isRecord()) {
        add(name, components[i].getType(), found);
      } else {
        DefaultValue value = parameters[i].getAnnotation(DefaultValue.class);
        found.put(name, value == null ? "" : String.join(",", value.value()));
      }
    }
  }

  private static String kebab(String name) {
    List<String> words = new ArrayList<>();
    for (MatchResult word : Pattern.compile("[A-Z]?[a-z0-9]+").matcher(name).results().toList()) {
      words.add(word.group().toLowerCase(Locale.ROOT));
    }
    return String.join("-", words);
  }
}
