package io.varve.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/** Reads YAML files as maps and lists. */
final class YamlFiles {

  /** Services of docker-compose.yml share parts by aliases. */
  private static final int MAX_ALIASES = 1_000;

  private YamlFiles() {}

  static Map<String, Object> yaml(Path file) {
    try {
      LoaderOptions options = new LoaderOptions();
      options.setMaxAliasesForCollections(MAX_ALIASES);
      return new Yaml(options).load(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<?, ?> map(Map<?, ?> from, String key) {
    return (Map<?, ?>) from.get(key);
  }

  /** Empty if the key is missing. */
  static List<?> list(Map<?, ?> from, String key) {
    Object value = from.get(key);
    return value == null ? List.of() : (List<?>) value;
  }
}
