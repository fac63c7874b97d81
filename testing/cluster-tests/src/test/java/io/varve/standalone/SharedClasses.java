package io.varve.standalone;

/**
 * The archive of loaded classes that the launcher names for child processes. Starting with it takes
 * half the time and CPU. A standalone that exits writes it if it is missing or outdated.
 */
final class SharedClasses {

  private SharedClasses() {}

  /** The flags for a process that writes the archive; none if no archive is named. */
  static String[] flagsToArchive() {
    return System.getProperty(ChildJvm.ARCHIVE, "").isBlank()
        ? new String[0]
        : new String[] {"-XX:+AutoCreateSharedArchive"};
  }
}
