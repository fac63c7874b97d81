package io.varve.host;

import io.varve.events.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Records in {@code cluster.json} of a data folder which cluster its files belong to, so that a
 * node that joins another cluster does not delete them as left-overs.
 */
final class ClusterMark {

  private record Mark(String clusterUuid) {}

  private ClusterMark() {}

  /**
   * Whether the folder belongs to that cluster. A folder that belonged to none is assigned to it.
   */
  static boolean isOf(Path data, String clusterUuid) {
    Path file = data.resolve("cluster.json");
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(data);
        Files.write(file, Json.write(new Mark(clusterUuid)));
        return true;
      }
      return Json.read(Files.readAllBytes(file), Mark.class).clusterUuid().equals(clusterUuid);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
