package io.varve.conformance.suite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.MappingIterator;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Parses one file of the suite: YAML documents, each of which is a test, a setup or a teardown. */
public final class TestFileParser {

  private static final YAMLMapper YAML = new YAMLMapper();

  private TestFileParser() {}

  private record Section(List<SkipRule> skips, List<Step> steps) {
    static final Section EMPTY = new Section(List.of(), List.of());
  }

  /**
   * Parses the tests of a file.
   *
   * @param name the folder and file name without extension, for example {@code bulk/10_basic}
   */
  public static List<TestCase> parse(String name, String yaml) {
    Map<String, Section> sections = new LinkedHashMap<>();
    for (Object document : documents(name, yaml)) {
      StepParser.map(document, name)
          .forEach((title, steps) -> sections.put(title, section(name + "/" + title, steps)));
    }
    Section setup = sections.getOrDefault("setup", Section.EMPTY);
    Section teardown = sections.getOrDefault("teardown", Section.EMPTY);
    sections.remove("setup");
    sections.remove("teardown");
    List<TestCase> tests = new ArrayList<>();
    sections.forEach((title, section) -> {
      List<SkipRule> skips = new ArrayList<>(setup.skips());
      skips.addAll(section.skips());
      tests.add(
          new TestCase(
              name + "/" + title, skips, setup.steps(), section.steps(), teardown.steps()));
    });
    return tests;
  }

  private static List<Object> documents(String name, String yaml) {
    List<Object> documents = new ArrayList<>();
    try (MappingIterator<Object> values = YAML.readerFor(Object.class).readValues(yaml)) {
      while (values.hasNext()) {
        Object document = values.next();
        if (document != null) {
          documents.add(document);
        }
      }
    } catch (RuntimeException e) {
      throw new SuiteException("cannot read " + name + ": " + e.getMessage(), e);
    }
    return documents;
  }

  private static Section section(String title, @Nullable Object content) {
    List<SkipRule> skips = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    if (!(content instanceof List<?> list)) {
      throw new SuiteException("[" + title + "] is not a list of steps");
    }
    for (Object element : list) {
      StepParser.map(element, title)
          .forEach((kind, argument) -> {
            if (kind.equals("skip")) {
              skips.add(SkipRule.parse(StepParser.map(argument, kind)));
            } else {
              steps.add(StepParser.parse(kind, argument));
            }
          });
    }
    return new Section(skips, steps);
  }
}
