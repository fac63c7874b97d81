package io.varve.load;

import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The data node that is impaired during a measurement. */
record Victim(String nodeId, long pid) {

  static Victim of(MeasuredServer server) throws IOException {
    return find(server)
        .orElseThrow(() -> new IOException("no node runs in the process that is to be impaired"));
  }

  /** Finds the node by name, because its process may have been restarted, or else by process. */
  static Optional<Victim> find(MeasuredServer server) throws IOException {
    Processes processes = server.processes();
    JsonNode nodes = server.call("GET", "/_nodes/process", "").path("nodes");
    for (var node : nodes.properties()) {
      long pid = node.getValue().at("/process/id").asLong();
      if (node.getValue().path("name").asString("").equals(processes.victimName())
          || pid == processes.victim()) {
        return Optional.of(new Victim(node.getKey(), pid));
      }
    }
    return Optional.empty();
  }

  void kill() {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }
}
