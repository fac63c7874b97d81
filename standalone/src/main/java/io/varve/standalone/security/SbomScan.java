package io.varve.standalone.security;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks for known vulnerabilities of the components in an SBOM, with the first of these scanners
 * that is installed. Both need their database of vulnerabilities, from the network or from a
 * configured location.
 *
 * <pre>
 *   osv-scanner   https://google.github.io/osv-scanner
 *   trivy         https://trivy.dev
 * </pre>
 */
final class SbomScan {

  /** The result of a scan, with the exit code of the command. */
  sealed interface Outcome {

    int exitCode();

    /** No component has a known vulnerability. */
    record Clean() implements Outcome {
      @Override
      public int exitCode() {
        return 0;
      }
    }

    /** The scanner has printed what it found. */
    record Vulnerable() implements Outcome {
      @Override
      public int exitCode() {
        return 1;
      }
    }

    /** The scanner did not work. */
    record Failed(String reason) implements Outcome {
      @Override
      public int exitCode() {
        return 2;
      }
    }

    /** Nothing was scanned. */
    record Skipped(String reason) implements Outcome {
      @Override
      public int exitCode() {
        return 3;
      }
    }
  }

  /**
   * A program that scans an SBOM.
   *
   * @param arguments before the name of the file
   * @param found its exit code if there are vulnerabilities
   */
  private record Scanner(String program, List<String> arguments, int found) {

    Outcome outcome(int code) {
      if (code == found) {
        return new Outcome.Vulnerable();
      }
      return code == 0
          ? new Outcome.Clean()
          : new Outcome.Failed(program + " ended with exit code " + code);
    }
  }

  private static final List<Scanner> SCANNERS =
      List.of(
          new Scanner("osv-scanner", List.of("scan", "source", "--lockfile"), 1),
          new Scanner("trivy", List.of("sbom", "--exit-code", "10"), 10));

  private final String searchPath;
  private final PrintStream out;

  /**
   * @param searchPath the folders of programs, as in the variable PATH
   * @param out for the output of the scanner
   */
  SbomScan(String searchPath, PrintStream out) {
    this.searchPath = searchPath;
    this.out = out;
  }

  Outcome run(Path sbom) throws IOException, InterruptedException {
    if (!Files.isRegularFile(sbom)) {
      return new Outcome.Skipped("there is no SBOM at " + sbom);
    }
    for (Scanner scanner : SCANNERS) {
      Optional<Path> program = find(scanner.program());
      if (program.isPresent()) {
        return scanner.outcome(run(program.get(), scanner, sbom));
      }
    }
    return new Outcome.Skipped("neither osv-scanner nor trivy is installed");
  }

  private Optional<Path> find(String program) {
    return Stream.of(searchPath.split(Pattern.quote(File.pathSeparator), -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private int run(Path program, Scanner scanner, Path sbom)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(scanner.arguments());
    command.add(sbom.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      process.getInputStream().transferTo(out);
      return process.waitFor();
    } finally {
      process.destroy();
    }
  }
}
