package io.varve.standalone.compose;

import io.varve.events.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The files of a deployment.
 *
 * @param compose the text of docker-compose.yml
 * @param prometheus the text of the configuration of Prometheus
 * @param image what the image is built from
 * @param exists whether a file or a folder exists, relative to docker-compose.yml
 */
record Deployment(String compose, String prometheus, BuildContext image, Predicate<String> exists) {

  private static final String SCHEMA = "compose-spec.json";
  private static final int MAX_ALIASES = 1_000;

  static Deployment in(Path folder) throws IOException {
    return new Deployment(
        Files.readString(folder.resolve("docker-compose.yml")),
        Files.readString(folder.resolve("observability/prometheus/prometheus.yml")),
        new BuildContext(
            Files.readString(folder.resolve("Dockerfile")),
            Files.readString(folder.resolve(".dockerignore"))),
        path -> Files.exists(folder.resolve(path)));
  }

  /** Returns the violated rules, in the order of the rules. */
  List<Problem> problems(UnaryOperator<@Nullable String> variables) throws IOException {
    Map<String, Object> file;
    Map<String, Object> scrapes;
    try {
      file = yaml(compose);
      scrapes = yaml(prometheus);
    } catch (YAMLException e) {
      return List.of(new Problem("yaml", "", String.valueOf(e.getMessage())));
    }
    Interpolation interpolation = new Interpolation(variables);
    Object values = Objects.requireNonNull(interpolation.apply("", file));
    List<Problem> problems = new ArrayList<>(interpolation.problems());
    problems.addAll(schema().validate(values));
    if (problems.isEmpty()) {
      ComposeFile checked = new ComposeFile((Map<?, ?>) values);
      problems.addAll(new ComposeRules(checked, exists).problems());
      problems.addAll(new SecurityRules(checked).problems());
      problems.addAll(ScrapeRules.problems(checked, scrapes));
      problems.addAll(image.problems());
    }
    return problems;
  }

  private static JsonSchema schema() throws IOException {
    try (InputStream schema =
        Objects.requireNonNull(Deployment.class.getResourceAsStream(SCHEMA), SCHEMA)) {
      return new JsonSchema(Json.mapper().readTree(schema.readAllBytes()));
    }
  }

  static Map<String, Object> yaml(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    // Services share parts through YAML aliases.
    options.setMaxAliasesForCollections(MAX_ALIASES);
    Object loaded = new Yaml(options).load(text);
    if (!(loaded instanceof Map<?, ?> map)) {
      throw new YAMLException("the file is not a mapping");
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    map.forEach((key, value) -> tree.put(String.valueOf(key), value));
    return tree;
  }
}
