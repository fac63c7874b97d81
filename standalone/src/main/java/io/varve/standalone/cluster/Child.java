package io.varve.standalone.cluster;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class of a process that must not outlive the one that started it: runs the main method
 * of the class named first.
 *
 * <ul>
 *   <li>Standard input ends, as it does when the launcher ends, however it ends: the process ends
 *       with status 0.
 *   <li>The main method fails: the process ends with status 1, whatever threads it left.
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
        // Input that is typed into the launcher is ignored.
      }
    } catch (IOException e) {
      System.err.println("varve: standard input broke, ending: " + e.getMessage());
    }
    System.exit(0);
  }
}
