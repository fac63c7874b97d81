package io.varve.standalone.cluster;

import io.varve.events.Json;
import io.varve.standalone.SecurityFolder;
import io.varve.standalone.link.Link;
import io.varve.standalone.link.LinkConditions;
import io.varve.standalone.link.LinkNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The proxies between the processes of a cluster: one in front of each process that publishes a
 * separate port, which with security is its port for other processes.
 */
final class Links implements AutoCloseable {

  private final Map<String, Link> byProcess = new HashMap<>();

  private Links() {}

  /** Opens proxies at the published ports of the cluster in {@code data}. */
  static Links of(Path data) throws IOException {
    JsonNode ports = Json.mapper().readTree(Files.readAllBytes(data.resolve("ports.json")));
    JsonNode cluster = Json.mapper().readTree(Files.readAllBytes(data.resolve("cluster.json")));
    LinkNetwork network = new LinkNetwork(LinkConditions.NONE);
    Links links = new Links();
    for (JsonNode process : cluster.path("processes")) {
      String name = process.path("name").asString();
      String url = process.path("url").asString();
      JsonNode published = ports.path(name + ProcessPlans.PUBLISHED);
      if (!published.isMissingNode()) {
        JsonNode internal = ports.path(name + SecurityFolder.INTERNAL);
        int target =
            internal.isMissingNode()
                ? Integer.parseInt(url.substring(url.lastIndexOf(':') + 1))
                : internal.asInt();
        links.byProcess.put(name, network.open(published.asInt(), target));
      }
    }
    return links;
  }

  void cut(String process) {
    byProcess.get(process).cut(true);
  }

  void mend(String process) {
    byProcess.get(process).cut(false);
  }

  @Override
  public void close() throws IOException {
    for (Link link : byProcess.values()) {
      link.close();
    }
  }
}
