package io.varve.standalone;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The command line of another JVM with the flags and the class path of this one.
 *
 * <p>Two system properties change it, so that tests start processes from the distribution: {@value
 * #CLASS_PATH} replaces the class path, and {@value #ARCHIVE} names an archive of loaded classes,
 * which the JVM ignores if it is missing or outdated.
 */
public final class ChildJvm {

  public static final String CLASS_PATH = "varve.child.class-path";
  public static final String ARCHIVE = "varve.child.archive";

  private ChildJvm() {}

  /**
   * Returns the command line up to the main class.
   *
   * @param flags more flags, which override those of this JVM
   */
  public static List<String> command(String mainClass, String... flags) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(archive());
    command.addAll(Arrays.asList(flags));
    command.add("-cp");
    command.add(classPath());
    command.add(mainClass);
    return command;
  }

  private static String classPath() {
    String given = System.getProperty(CLASS_PATH, "");
    return given.isBlank() ? System.getProperty("java.class.path") : given;
  }

  /** By default a JVM moves the archive to a random address, for which it rewrites all pages. */
  private static List<String> archive() {
    String file = System.getProperty(ARCHIVE, "");
    return file.isBlank()
        ? List.of()
        : List.of(
            "-XX:SharedArchiveFile=" + file,
            "-Xlog:cds=off",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0");
  }
}
