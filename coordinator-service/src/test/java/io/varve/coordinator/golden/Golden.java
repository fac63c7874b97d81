package io.varve.coordinator.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Bytes that a release has written and that every later release must write and read in the same
 * way, in {@code golden/level-<feature level>/<group>/<name>}: JSON unchanged, binary forms as hex
 * in lines of 32 bytes.
 *
 * <p>An existing file is never overwritten: a change of its form needs a new feature level. A
 * missing file fails the test; {@code -Dgolden.write=true} creates it.
 */
final class Golden {

  private static final Path FILES =
      Path.of(System.getProperty("basedir", "."), "src", "test", "resources", "golden");
  private static final int BYTES_IN_LINE = 32;

  private Golden() {}

  /**
   * A sample of one format.
   *
   * @param level the feature level that introduced it
   * @param written the bytes that the current code writes
   * @param again reads the bytes and writes the result
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Sample(int level, String group, String name, byte[] written, UnaryOperator<byte[]> again) {

    static Sample json(int level, String group, String name, Object value) {
      return json(level, group, name, value, value.getClass());
    }

    static Sample json(int level, String group, String name, Object value, Class<?> type) {
      return new Sample(
          level,
          group,
          name + ".json",
          writeAs(type, value),
          json -> writeAs(type, Json.read(json, type)));
    }

    private static byte[] writeAs(Class<?> type, Object value) {
      return Json.mapper().writerFor(type).writeValueAsBytes(value);
    }

    static Sample binary(
        int level, String group, String name, byte[] written, UnaryOperator<byte[]> again) {
      return new Sample(level, group, name + ".hex", written, again);
    }

    @Override
    public String toString() {
      return "level-" + level + "/" + group + "/" + name;
    }
  }

  /**
   * The bytes equal those of the file, and reading the file and writing the result reproduces them.
   */
  static void matches(Sample sample) throws IOException {
    byte[] expected = read(sample);
    assertThat(text(sample, sample.written())).as("written").isEqualTo(text(sample, expected));
    assertThat(text(sample, sample.again().apply(expected)))
        .as("read and written again")
        .isEqualTo(text(sample, expected));
  }

  /** The same for a form to which any release may add fields that readers ignore. */
  static void isContained(Sample sample) throws IOException {
    byte[] expected = read(sample);
    assertContains(sample.written(), expected);
    assertContains(sample.again().apply(expected), expected);
  }

  private static void assertContains(byte[] written, byte[] expected) {
    JsonNode all = Json.mapper().readTree(written);
    Json.mapper()
        .readTree(expected)
        .properties()
        .forEach(field ->
            assertThat(all.get(field.getKey())).as(field.getKey()).isEqualTo(field.getValue()));
  }

  /** Each form has its file, and no file exists for a form that is no longer tested. */
  static void assertAllTested(String group, Stream<Sample> samples) throws IOException {
    Set<String> tested = new TreeSet<>();
    for (Sample sample : samples.toList()) {
      // This test may run before the test of a new sample, which would create the file.
      assertThat(read(sample)).isNotEmpty();
      tested.add(sample.toString());
    }
    Set<String> present = new TreeSet<>();
    try (Stream<Path> files = Files.walk(FILES)) {
      files
          .filter(Files::isRegularFile)
          .map(FILES::relativize)
          .filter(file -> file.getName(1).toString().equals(group))
          .forEach(file -> present.add(file.toString()));
    }
    assertThat(present).isEqualTo(tested);
  }

  /** The bytes of a form at a level that added or changed the form. */
  static Optional<byte[]> at(int level, String group, String name) throws IOException {
    Path file = FILES.resolve("level-" + level).resolve(group).resolve(name);
    return Files.exists(file)
        ? Optional.of(Files.readString(file).strip().getBytes(StandardCharsets.UTF_8))
        : Optional.empty();
  }

  private static byte[] read(Sample sample) throws IOException {
    Path file = FILES.resolve(sample.toString());
    if (!Files.exists(file) && Boolean.getBoolean("golden.write")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text(sample, sample.written()));
    }
    assertThat(file).as("golden bytes; -Dgolden.write=true creates them").exists();
    String text = Files.readString(file).strip();
    return sample.name().endsWith(".hex")
        ? HexFormat.of().parseHex(text.replace("\n", ""))
        : text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Sample sample, byte[] bytes) {
    if (!sample.name().endsWith(".hex")) {
      return new String(bytes, StandardCharsets.UTF_8) + "\n";
    }
    StringBuilder lines = new StringBuilder();
    for (int from = 0; from < bytes.length; from += BYTES_IN_LINE) {
      lines
          .append(
              HexFormat.of().formatHex(bytes, from, Math.min(bytes.length, from + BYTES_IN_LINE)))
          .append('\n');
    }
    return lines.toString();
  }
}
