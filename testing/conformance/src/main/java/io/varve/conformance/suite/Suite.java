package io.varve.conformance.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Reads the files of the suite from the jar that OpenSearch publishes. */
public final class Suite {

  private static final String ROOT = "rest-api-spec/";
  private static final String TESTS = ROOT + "test/";
  private static final String APIS = ROOT + "api/";

  private final Map<String, String> texts;

  private Suite(Map<String, String> texts) {
    this.texts = texts;
  }

  /** Reads the whole suite from the class path. */
  public static Suite load() {
    URL found = Suite.class.getClassLoader().getResource(APIS + "index.json");
    if (found == null) {
      throw new SuiteException("the suite is not on the class path");
    }
    Map<String, String> texts = new TreeMap<>();
    try (JarFile jar = ((JarURLConnection) found.openConnection()).getJarFile()) {
      for (JarEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        if (name.startsWith(ROOT) && (name.endsWith(".yml") || name.endsWith(".json"))) {
          texts.put(
              name, new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the suite cannot be read", e);
    }
    return new Suite(texts);
  }

  /** Returns all tests, sorted by file name. */
  public List<TestCase> tests() {
    List<TestCase> tests = new ArrayList<>();
    texts.forEach((name, text) -> {
      if (name.startsWith(TESTS)) {
        String file = name.substring(TESTS.length(), name.length() - ".yml".length());
        tests.addAll(TestFileParser.parse(file, text));
      }
    });
    return tests;
  }

  /** Returns the specifications of the endpoints as JSON. */
  public List<String> apiDescriptions() {
    return texts.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(APIS))
        .map(Map.Entry::getValue)
        .toList();
  }
}
