package io.varve.standalone.cluster;

import io.varve.kafka.FreePorts;
import io.varve.standalone.FollowerAccess;
import io.varve.standalone.Ports;
import io.varve.standalone.StartRefusedException;
import io.varve.standalone.cluster.ProcessPlan.Role;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A cluster that is to be started.
 *
 * @param name {@value #LEADER}, or {@value #FOLLOWER} for the second cluster of {@code --follower}
 * @param data the folder of its processes
 * @param links the proxies between this cluster and the one that follows it
 */
record ClusterPlan(String name, Path data, List<ProcessPlan> processes, List<LinkPlan> links) {

  static final String LEADER = "leader";
  static final String FOLLOWER = "follower";

  /** The distance between the ports of the leader and those of the follower. */
  static final int FOLLOWER_PORT_DISTANCE = 100;

  /**
   * A proxy in front of a process.
   *
   * @param port the port on which the proxy listens
   * @param target the port of the process
   */
  record LinkPlan(String process, int port, int target) {

    String address() {
      return "127.0.0.1:" + port;
    }
  }

  ClusterPlan {
    processes = List.copyOf(processes);
    links = List.copyOf(links);
  }

  /** Returns the clusters to start; the first one is the leader. */
  static List<ClusterPlan> of(ClusterOptions options) throws IOException {
    Path data = options.data();
    Ports ports = Ports.in(data);
    List<ClusterPlan> clusters = new ArrayList<>();
    boolean linked = options.link().isPresent();
    clusters.add(
        ProcessPlans.of(
            options,
            new ProcessPlans.Site(LEADER, data, options.port(), "", linked, List.of()),
            ports));
    if (options.follower()) {
      clusters.add(
          ProcessPlans.of(
              options,
              new ProcessPlans.Site(
                  FOLLOWER,
                  data.resolve(FOLLOWER),
                  options.port() + FOLLOWER_PORT_DISTANCE,
                  FOLLOWER + "-",
                  false,
                  followerArguments(options)),
              ports));
    }
    return List.copyOf(clusters);
  }

  private static List<String> followerArguments(ClusterOptions options) throws IOException {
    return options.secured()
        ? FollowerAccess.of(options.data(), options.serviceArguments()).arguments()
        : List.of();
  }

  /**
   * Checks that each process can bind its port. Without this check, another cluster on the port of
   * a coordinator would answer instead, and the start would seem to succeed.
   *
   * @throws StartRefusedException a port is in use
   */
  void requireFreePorts() throws IOException {
    for (ProcessPlan process : processes) {
      if (!FreePorts.isFree(process.port())) {
        throw new StartRefusedException(
            "port "
                + process.port()
                + " of "
                + process.name()
                + (name.equals(FOLLOWER) ? " of the follower" : "")
                + " is in use: stop the program that listens there, or choose another --port");
      }
    }
  }

  /** The URL of the first coordinator. */
  String url() {
    return coordinators().getFirst().url();
  }

  /** The addresses of the brokers. */
  String kafka() {
    return processes.stream()
        .filter(process -> process.role() == Role.BROKER)
        .map(ProcessPlan::url)
        .collect(Collectors.joining(","));
  }

  /** The {@code host:port} at which another cluster reaches each coordinator. */
  List<String> seeds() {
    return coordinators().stream().map(this::seed).toList();
  }

  private String seed(ProcessPlan coordinator) {
    return links.stream()
        .filter(link -> link.process().equals(coordinator.name()))
        .findFirst()
        .map(LinkPlan::address)
        .orElseGet(() -> URI.create(coordinator.url()).getAuthority());
  }

  private List<ProcessPlan> coordinators() {
    return processes.stream().filter(process -> process.role() == Role.COORDINATOR).toList();
  }

  int nodes() {
    return (int) processes.stream().filter(ProcessPlan::isNode).count();
  }
}
