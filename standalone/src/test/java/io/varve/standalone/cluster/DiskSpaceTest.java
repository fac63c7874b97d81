package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {

  @Test
  void aDiskWithoutRoomIsNamedWithTheBytesThatItHas() {
    assertThat(DiskSpace.note(Path.of("data"), 4_096))
        .isEqualTo("No space left on device: data has 4096 bytes");
    assertThat(DiskSpace.note(Path.of("data"), DiskSpace.FULL_BELOW_BYTES)).isEmpty();
  }

  @Test
  void nothingIsSaidOfAFolderThatDoesNotExist(@TempDir Path folder) {
    assertThat(DiskSpace.note(folder.resolve("none"))).isEmpty();
  }
}
