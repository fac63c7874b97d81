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
 * #CLASS_PATH} replaces the class path, and {@value #FLAGS} adds flags, separated by spaces.
 */
public final class ChildJvm {

  public static final String CLASS_PATH = "varve.child.class-path";
  public static final String FLAGS = "varve.child.flags";

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
    command.addAll(moreFlags());
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

  private static List<String> moreFlags() {
    return Arrays.stream(System.getProperty(FLAGS, "").split(" "))
        .filter(flag -> !flag.isBlank())
        .toList();
  }
}
