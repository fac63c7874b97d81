package io.varve.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {

  @TempDir Path data;

  @Test
  void onlyTheOwnerCanReadTheFileAndItsFolder() throws Exception {
    Path file = data.resolve("security/cluster.secret");

    SecretFile.createIfMissing(file, 32, new Random(1));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
    assertThat(Files.readString(file).strip()).hasSize(44);
    assertThat(file.getParent().toFile().list()).containsExactly("cluster.secret");
  }

  @Test
  void anExistingFileIsKept() throws Exception {
    Path file = data.resolve("cluster.secret");
    SecretFile.createIfMissing(file, 32, new Random(1));
    String first = Files.readString(file);

    SecretFile.createIfMissing(file, 32, new Random(2));

    assertThat(file).hasContent(first);
  }
}
