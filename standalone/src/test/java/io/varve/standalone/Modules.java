package io.varve.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folders of the project's Maven modules, for tests that read sources, class files or pages.
 */
final class Modules {

  static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

  private Modules() {}

  /**
   * Returns the module folders sorted by name. A module is in the root folder, in {@code lib} or in
   * {@code testing}.
   */
  static List<Path> folders() throws IOException {
    try (Stream<Path> folders = Files.walk(ROOT, 2)) {
      return folders
          .filter(folder -> !folder.equals(ROOT) && Files.exists(folder.resolve("pom.xml")))
          .sorted()
          .toList();
    }
  }
}
