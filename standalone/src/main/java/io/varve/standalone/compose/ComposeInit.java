package io.varve.standalone.compose;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;

/** {@code varve compose init}: writes the secrets of docker-compose.yml that are missing. */
public final class ComposeInit {

  private ComposeInit() {}

  /** The argument is the folder of docker-compose.yml. */
  public static void main(String[] arguments) {
    try {
      Path folder = Path.of(arguments[0]);
      ComposeFile file = ComposeFile.read(folder.resolve("docker-compose.yml"), System::getenv);
      new ComposeSecrets(file, folder, InstantSource.system(), new SecureRandom()).write();
      System.out.println(
          "the secrets are in " + folder.resolve(ComposeSecrets.FOLDER) + "; do not share them");
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("varve: " + e.getMessage());
      System.exit(1);
    }
  }
}
