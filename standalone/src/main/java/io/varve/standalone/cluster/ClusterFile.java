package io.varve.standalone.cluster;

import io.varve.events.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file {@code cluster.json} of a data folder: cluster, name, role, pid and url of each process.
 */
final class ClusterFile {

  private final Path data;

  ClusterFile(Path data) {
    this.data = data;
  }

  synchronized void write(List<ProcessGroup> clusters) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (ProcessGroup cluster : clusters) {
      cluster.processes().forEach(process -> rows.add(row(cluster.plan().name(), process)));
    }
    replace(data.resolve("cluster.json"), Map.of("processes", rows));
  }

  /** Writes a file so that no reader sees a part of it. */
  static void replace(Path file, Map<String, ?> content) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.write(
        temporary, Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(content));
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static Map<String, Object> row(String cluster, ManagedProcess process) {
    ProcessPlan plan = process.plan();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("cluster", cluster);
    row.put("name", plan.name());
    row.put("role", plan.role().text);
    row.put("pid", process.pid());
    row.put("url", plan.url());
    return row;
  }
}
