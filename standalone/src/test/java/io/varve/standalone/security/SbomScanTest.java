package io.varve.standalone.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scanners are shell scripts that print their arguments and end with an exit code. */
class SbomScanTest {

  @TempDir Path folder;

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private Path sbom;

  @BeforeEach
  void anSbom() throws IOException {
    sbom = Files.writeString(folder.resolve("varve.cdx.json"), "{}");
  }

  private void install(String program, int exitCode) throws IOException {
    Path file = folder.resolve(program);
    Files.writeString(
        file, "#!/bin/sh\necho " + program + " \"$@\"\necho trouble >&2\nexit " + exitCode + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private int scan(Path file) throws Exception {
    PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    return new SbomScan("/nowhere::" + folder, out).run(file).exitCode();
  }

  @ParameterizedTest
  @CsvSource({
    "osv-scanner, 0, 0",
    "osv-scanner, 1, 1",
    "osv-scanner, 127, 2",
    "trivy, 0, 0",
    "trivy, 10, 1",
    "trivy, 1, 2",
  })
  void theExitCodeTellsWhatTheScannerFound(String program, int scannersCode, int code)
      throws Exception {
    install(program, scannersCode);

    assertThat(scan(sbom)).isEqualTo(code);
    assertThat(output.toString(StandardCharsets.UTF_8))
        .startsWith(program + " ")
        .contains(" " + sbom + "\n")
        .contains("trouble");
  }

  @Test
  void osvScannerIsPreferred() throws Exception {
    install("trivy", 10);
    install("osv-scanner", 0);

    assertThat(scan(sbom)).isZero();
    assertThat(output.toString(StandardCharsets.UTF_8))
        .startsWith("osv-scanner scan source --lockfile " + sbom);
  }

  @Test
  void withoutAScannerOrAnSbomNothingIsScanned() throws Exception {
    assertThat(scan(sbom)).isEqualTo(3);
    install("trivy", 0);
    assertThat(scan(folder.resolve("missing.json"))).isEqualTo(3);
    assertThat(output.size()).isZero();
  }
}
