package io.varve.standalone.compose;

import java.nio.file.Path;
import java.util.List;

/** {@code varve compose check}: prints each violated rule, and fails if there is any. */
public final class ComposeCheck {

  private ComposeCheck() {}

  /** The argument is the folder of docker-compose.yml. */
  public static void main(String[] arguments) throws Exception {
    List<Problem> problems = Deployment.in(Path.of(arguments[0])).problems(System::getenv);
    problems.forEach(problem -> System.err.println("varve: " + problem));
    if (!problems.isEmpty()) {
      System.exit(1);
    }
    System.out.println("docker-compose.yml is complete and consistent");
  }
}
