package io.varve.standalone.cluster;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class of a process that must not outlive its launcher. It runs the main method of the
 * class that the first argument names.
 *
 * <ul>
 *   <li>When standard input ends, which happens whenever the launcher ends, the process exits with
 *       status 0.
 *   <li>When the main method fails, the process exits with status 1, even if other threads are
 *       running.
 * </ul>
 */
public final class Child {

  private Child() {}

  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform().daemon().name("launcher-watch").start(Child::exitWithLauncher);
    try {
      Class.forName(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    } catch (InvocationTargetException e) {
      e.getCause().printStackTrace();
      System.exit(1);
    }
  }

  private static void exitWithLauncher() {
    try {
      while (System.in.read() >= 0) {
        // Ignore input typed into the launcher.
      }
    } catch (IOException e) {
      System.err.println("varve: exiting because standard input failed: " + e.getMessage());
    }
    System.exit(0);
  }
}
