package io.varve.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folders of the project's Maven modules, for tests that read sources, classes or pages. */
final class Modules {

  static final Path ROOT =
      Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

  private Modules() {}

  /** The module folders by name; a module is at the root, in {@code lib} or in {@code testing}. */
  static List<Path> folders() throws IOException {
    try (Stream<Path> folders = Files.walk(ROOT, 2)) {
      return folders
          .filter(folder -> !folder.equals(ROOT) && Files.exists(folder.resolve("pom.xml")))
          .sorted()
          .toList();
    }
  }
}
