package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * A former release, which is built from the history of the repository with the local repository of
 * Maven. The build is kept in {@code target}, under the commit, and used again.
 *
 * @param classPath of its processes
 * @param featureLevel its newest one
 */
record FormerRelease(String classPath, int featureLevel) {

  private static final long BUILD_MINUTES = 60;

  /** Builds it. Without the history, the test is skipped. */
  static FormerRelease build() throws Exception {
    Properties upgrade = new Properties();
    try (InputStream file =
        Objects.requireNonNull(FormerRelease.class.getResourceAsStream("upgrade.properties"))) {
      upgrade.load(file);
    }
    String commit = upgrade.getProperty("former.commit");
    Path folder = Path.of("target", "former-release", commit).toAbsolutePath();
    Path libraries = folder.resolve("standalone/target/dist/lib");
    Path built = folder.resolve("built");
    if (!Files.exists(built)) {
      Files.createDirectories(folder);
      extract(commit, folder);
      compile(folder);
      assertThat(libraries).isDirectory();
      Files.createFile(built);
    }
    return new FormerRelease(
        libraries + "/*", Integer.parseInt(upgrade.getProperty("former.feature-level")));
  }

  private static void extract(String commit, Path folder) throws Exception {
    assumeTrue(
        run(folder, "git", "cat-file", "-e", commit + "^{commit}") == 0,
        "the repository's history does not have commit " + commit);
    // In a folder below the root, git would archive that folder only.
    String root = text(folder, "git", "rev-parse", "--show-toplevel");
    Path archive = folder.resolve("sources.tar");
    assertThat(run(folder, "git", "-C", root, "archive", "-o", archive.toString(), commit))
        .isZero();
    assertThat(run(folder, "tar", "-xf", archive.toString())).isZero();
    Files.delete(archive);
  }

  private static void compile(Path folder) throws Exception {
    List<String> maven = new ArrayList<>(List.of("mvn", "-o", "-q", "-B", "package"));
    maven.addAll(List.of("-f", folder.resolve("pom.xml").toString(), "-pl", "standalone", "-am"));
    maven.addAll(List.of("-DskipTests", "-Dcyclonedx.skip"));
    String repository = System.getProperty("localRepository", "");
    if (!repository.isEmpty()) {
      maven.add("-Dmaven.repo.local=" + repository);
    }
    assertThat(run(folder, maven.toArray(String[]::new)))
        .as("see %s", folder.resolve("output.txt"))
        .isZero();
  }

  private static int run(Path folder, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output.txt").toFile())
            .start();
    try {
      assertThat(process.waitFor(BUILD_MINUTES, TimeUnit.MINUTES)).isTrue();
      return process.exitValue();
    } finally {
      process.destroy();
    }
  }

  private static String text(Path folder, String... command) throws IOException {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
  }
}
