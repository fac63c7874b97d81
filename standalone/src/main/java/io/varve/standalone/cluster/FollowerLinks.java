package io.varve.standalone.cluster;

import io.varve.standalone.link.Link;
import io.varve.standalone.link.LinkConditions;
import io.varve.standalone.link.LinkNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The network between a follower and its leader: a link to each broker and each coordinator of the
 * leader. Writes their traffic to {@code links.json} every second.
 */
final class FollowerLinks implements AutoCloseable {

  private static final long PERIOD_MILLIS = 1_000;

  private final Path file;
  private final Map<String, Link> byProcess = new LinkedHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("links").factory());

  private FollowerLinks(Path data) {
    this.file = data.resolve("links.json");
  }

  /**
   * @throws IOException a port of a link is in use
   */
  static FollowerLinks open(Path data, LinkConditions conditions, List<ClusterPlan.LinkPlan> plans)
      throws IOException {
    LinkNetwork network = new LinkNetwork(conditions);
    FollowerLinks links = new FollowerLinks(data);
    for (ClusterPlan.LinkPlan plan : plans) {
      try {
        links.byProcess.put(plan.process(), network.open(plan.port(), plan.target()));
      } catch (IOException e) {
        links.close();
        throw new IOException(
            "the link to " + plan.process() + " can't listen on port " + plan.port(), e);
      }
    }
    var _ =
        links.timer.scheduleWithFixedDelay(links::write, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return links;
  }

  /** Stops, or resumes, all traffic between the clusters. */
  void cut(boolean now) {
    byProcess.values().forEach(link -> link.cut(now));
  }

  Link.Traffic traffic(String process) {
    return byProcess.get(process).traffic();
  }

  private void write() {
    try {
      ClusterFile.replace(
          file,
          Map.of(
              "links",
              byProcess.entrySet().stream()
                  .map(entry -> row(entry.getKey(), entry.getValue()))
                  .toList()));
    } catch (IOException e) {
      System.err.println("varve: could not write " + file + ": " + e.getMessage());
    }
  }

  private static Map<String, Object> row(String process, Link link) {
    Link.Traffic traffic = link.traffic();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("process", process);
    row.put("port", link.port());
    row.put("connections", traffic.connections());
    row.put("broken_connections", traffic.brokenConnections());
    row.put("bytes_to_leader", traffic.bytesToTarget());
    row.put("bytes_to_follower", traffic.bytesToCallers());
    return row;
  }

  @Override
  public void close() throws IOException {
    timer.shutdownNow();
    for (Link link : byProcess.values()) {
      link.close();
    }
  }
}
