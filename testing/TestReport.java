import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Sums up the Surefire reports of one test run. Run as a source file: {@code java TestReport.java
 * ROOT STAMP}; reports older than the file STAMP belong to an earlier run and are ignored.
 *
 * <pre>
 *   target/test-times.tsv   module, class, tests, milliseconds; slowest class first
 *   target/flakes.txt       each test that failed and then passed when it was rerun, with its error
 * </pre>
 *
 * <p>Prints the slowest classes, the reasons for skipped tests by class, the failures, the flakes
 * and the totals. The exit code is 0 if any test ran and none failed, 2 if none ran, else 1.
 */
public final class TestReport {

  private static final int SLOWEST_SHOWN = 12;

  /** One test class. */
  private record TestClass(String module, String name, int tests, long millis) {}

  /** One test that did not pass on its first run. */
  private record Trouble(String module, String test, String message) {}

  private final List<TestClass> classes = new ArrayList<>();
  private final List<Trouble> failures = new ArrayList<>();
  private final List<Trouble> flakes = new ArrayList<>();
  private final SortedMap<String, Integer> skipped = new TreeMap<>();

  /** Classes without any test in their report. */
  private final List<String> silent = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    System.exit(run(Path.of(args[0]), Path.of(args[1]), System.out));
  }

  /** Returns the exit code. */
  public static int run(Path root, Path stamp, PrintStream out) throws Exception {
    TestReport report = new TestReport();
    report.readAll(root, Files.getLastModifiedTime(stamp).toMillis());
    report.write(root.resolve("target"));
    return report.print(out);
  }

  private void readAll(Path root, long stampMillis) throws Exception {
    DocumentBuilder parser = parser();
    for (Path file : reportFiles(root)) {
      if (Files.getLastModifiedTime(file).toMillis() >= stampMillis) {
        read(moduleOf(file), parser.parse(file.toFile()).getDocumentElement());
      }
    }
    classes.sort(Comparator.comparingLong(TestClass::millis).reversed());
  }

  /** The name of the folder above {@code target/surefire-reports}. */
  private static String moduleOf(Path report) {
    return report.getParent().getParent().getParent().getFileName().toString();
  }

  private static DocumentBuilder parser() throws ParserConfigurationException {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder();
  }

  private static List<Path> reportFiles(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> folders = Files.walk(root, 2)) {
      for (Path module : folders.filter(TestReport::isModule).sorted().toList()) {
        Path reports = module.resolve("target/surefire-reports");
        if (Files.isDirectory(reports)) {
          try (Stream<Path> found = Files.list(reports)) {
            found
                .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                .sorted()
                .forEach(files::add);
          }
        }
      }
    }
    return files;
  }

  private static boolean isModule(Path folder) {
    return Files.exists(folder.resolve("pom.xml"));
  }

  private void read(String module, Element suite) {
    NodeList cases = suite.getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      readCase(module, (Element) cases.item(i));
    }
    if (cases.getLength() == 0) {
      // Surefire leaves out the tests of a class that is aborted before its first test.
      silent.add(module + " " + suite.getAttribute("name"));
    } else {
      long millis =
          Math.round(Double.parseDouble(suite.getAttribute("time").replace(",", "")) * 1_000);
      classes.add(new TestClass(module, suite.getAttribute("name"), cases.getLength(), millis));
    }
  }

  private void readCase(String module, Element test) {
    String name = test.getAttribute("classname") + "#" + test.getAttribute("name");
    boolean failed = false;
    for (Node child = test.getFirstChild(); child != null; child = child.getNextSibling()) {
      switch (child.getNodeName()) {
        case "failure", "error" -> failed = true;
        case "flakyFailure", "flakyError" ->
            flakes.add(new Trouble(module, name, firstLine((Element) child)));
        case "skipped" ->
            skipped.merge(
                module + " " + test.getAttribute("classname") + ": " + firstLine((Element) child),
                1,
                Integer::sum);
        default -> {}
      }
      if (failed) {
        failures.add(new Trouble(module, name, firstLine((Element) child)));
        return;
      }
    }
  }

  private static String firstLine(Element trouble) {
    String message = trouble.getAttribute("message");
    String text = message.isBlank() ? trouble.getTextContent() : message;
    // Surefire writes a message of several lines below the name of its exception.
    return text.strip()
        .replaceFirst("^[\\w.$]+:\\s*\\R", "")
        .lines()
        .findFirst()
        .orElse("no reason given");
  }

  private void write(Path target) throws IOException {
    Files.createDirectories(target);
    StringBuilder times = new StringBuilder("module\tclass\ttests\tmillis\n");
    for (TestClass one : classes) {
      times.append(String.join("\t", one.module, one.name, "" + one.tests, "" + one.millis));
      times.append('\n');
    }
    Files.writeString(target.resolve("test-times.tsv"), times);
    StringBuilder lines = new StringBuilder();
    flakes.forEach(flake -> lines.append(line(flake)).append('\n'));
    Files.writeString(target.resolve("flakes.txt"), lines);
  }

  private static String line(Trouble trouble) {
    return trouble.module + " " + trouble.test + ": " + trouble.message;
  }

  private int print(PrintStream out) {
    int tests = classes.stream().mapToInt(TestClass::tests).sum();
    int left = skipped.values().stream().mapToInt(Integer::intValue).sum();
    out.println("Slowest test classes:");
    for (TestClass one : classes.subList(0, Math.min(SLOWEST_SHOWN, classes.size()))) {
      out.printf(Locale.ROOT, "%8.1f s  %s (%s)%n", one.millis / 1_000.0, one.name, one.module);
    }
    skipped.forEach((where, count) -> out.println("SKIPPED " + where + " (" + count + ")"));
    silent.forEach(where -> out.println("SKIPPED " + where + ": none of its tests ran"));
    flakes.forEach(flake -> out.println("FLAKE   " + line(flake)));
    failures.forEach(failure -> out.println("FAILED  " + line(failure)));
    out.printf(
        Locale.ROOT,
        "%d passed, %d failed, %d skipped%n",
        tests - failures.size() - left,
        failures.size(),
        left + silent.size());
    if (!flakes.isEmpty()) {
      out.println("Passed when run again: " + flakes.size() + " (target/flakes.txt)");
    }
    if (tests == 0) {
      return 2;
    }
    return failures.isEmpty() ? 0 : 1;
  }
}
