package io.varve.standalone.cluster;

import java.io.IOException;
import java.util.Arrays;

/**
 * The main class of each child: runs the main method of the class named first, and ends the process
 * when standard input ends, so that no child outlives its launcher, even a killed one.
 */
public final class Child {

  private Child() {}

  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform().daemon().name("launcher-watch").start(Child::exitWithLauncher);
    Class.forName(arguments[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  private static void exitWithLauncher() {
    try {
      while (System.in.read() >= 0) {
        // Whatever is typed into the launcher is not for us.
      }
    } catch (IOException e) {
      System.err.println("varve: standard input broke, ending: " + e.getMessage());
    }
    System.exit(0);
  }
}
