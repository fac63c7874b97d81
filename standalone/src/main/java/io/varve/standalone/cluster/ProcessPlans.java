package io.varve.standalone.cluster;

import io.varve.standalone.Ports;
import io.varve.standalone.SecurityFolder;
import io.varve.standalone.ServiceOptions.LogFormat;
import io.varve.standalone.cluster.ClusterPlan.LinkPlan;
import io.varve.standalone.cluster.ProcessPlan.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Derives the processes of a local cluster from its options, in start order.
 *
 * <p>With {@code --published-ports apart} each process publishes a port that differs from the one
 * it listens on, so that a proxy can be placed between it and its peers. {@code ports.json} holds
 * the published port under the process's name with the suffix {@value #PUBLISHED}.
 *
 * <p>A cluster that is followed across a link has a proxy in front of each coordinator, and in
 * front of a second listener of each broker, which announces the port of the proxy. The traffic of
 * the follower therefore passes the proxies, and no other traffic does.
 */
final class ProcessPlans {

  static final String PUBLISHED = "-published";
  private static final String LINK = "-link";
  private static final String REMOTE = "-remote";

  /**
   * The place of a cluster among those of a launcher.
   *
   * @param name see {@link ClusterPlan#name}
   * @param port the port of the first coordinator
   * @param portPrefix prefix of the names of the cluster's processes in {@code ports.json}
   * @param linked whether it is followed across a link
   * @param arguments arguments of its services, in addition to those that the options set for both
   *     clusters
   */
  record Site(
      String name, Path data, int port, String portPrefix, boolean linked, List<String> arguments) {
    Site {
      arguments = List.copyOf(arguments);
    }
  }

  private final ClusterOptions options;
  private final Site site;
  private final Ports ports;
  private final List<ProcessPlan> plans = new ArrayList<>();
  private final List<LinkPlan> links = new ArrayList<>();

  private ProcessPlans(ClusterOptions options, Site site, Ports ports) {
    this.options = options;
    this.site = site;
    this.ports = ports;
  }

  static ClusterPlan of(ClusterOptions options, Site site, Ports ports) throws IOException {
    ProcessPlans all = new ProcessPlans(options, site, ports);
    all.addAll();
    return new ClusterPlan(site.name(), site.data(), all.plans, all.links);
  }

  private void addAll() throws IOException {
    int brokers = options.brokers();
    addBrokers(brokers);
    List<String> shared = new ArrayList<>(options.serviceArguments());
    shared.addAll(site.arguments());
    shared.add("--varve.kafka.bootstrap-servers=" + bootstrapServers(brokers));
    shared.add("--varve.kafka.replication-factor=" + Math.min(brokers, 3));
    addServices(Role.COORDINATOR, options.coordinators(), ofCoordinators(shared));
    addServices(Role.SHARD_SERVICE, options.shardServices(), shared);
    addServices(Role.REPLICATION_SERVICE, options.replicationServices(), shared);
    addSearchServices(options.searchServices(), shared);
    addServices(Role.CCR_FOLLOWER, options.ccrFollowers(), shared);
  }

  /** At this point, the links are those of the brokers. */
  private List<String> ofCoordinators(List<String> shared) {
    List<String> arguments = new ArrayList<>(shared);
    if (site.linked()) {
      arguments.add(
          "--varve.kafka.remote-bootstrap-servers="
              + links.stream().map(LinkPlan::address).collect(Collectors.joining(",")));
    }
    return arguments;
  }

  private int port(String name) throws IOException {
    return ports.of(site.portPrefix() + name);
  }

  private void addBrokers(int count) throws IOException {
    List<String> voters = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      voters.add(i + "@127.0.0.1:" + port(Role.BROKER.nameOf(i) + "-controller"));
    }
    for (int i = 1; i <= count; i++) {
      String name = Role.BROKER.nameOf(i);
      int port = port(name);
      List<String> arguments = new ArrayList<>();
      arguments.addAll(List.of("--data", site.data().resolve(name).toString()));
      arguments.addAll(List.of("--node-id", Integer.toString(i)));
      arguments.addAll(List.of("--port", Integer.toString(port)));
      arguments.addAll(List.of("--controller-port", Integer.toString(port(name + "-controller"))));
      arguments.addAll(List.of("--advertised-port", Integer.toString(published(name, port))));
      arguments.addAll(List.of("--voters", String.join(",", voters)));
      arguments.addAll(List.of("--flush", options.flush()));
      arguments.addAll(remoteListener(name));
      arguments.addAll(security(name));
      plans.add(new ProcessPlan(name, Role.BROKER, "127.0.0.1:" + port, brokerFlags(), arguments));
    }
  }

  private List<String> security(String broker) throws IOException {
    return options.secured()
        ? List.of(
            "--security",
            new SecurityFolder(site.data())
                .broker(broker, site.data().resolve(broker), options.serviceArguments())
                .toString())
        : List.of();
  }

  /** Spring configures the log of a service, and a broker runs without Spring. */
  private List<String> brokerFlags() {
    return options.logFormat() == LogFormat.JSON
        ? List.of("-Dlogback.configurationFile=logback-json.xml")
        : List.of();
  }

  private List<String> remoteListener(String broker) throws IOException {
    if (!site.linked()) {
      return List.of();
    }
    LinkPlan link = addLink(broker, port(broker + REMOTE));
    return List.of(
        "--remote-port",
        Integer.toString(link.target()),
        "--remote-advertised-port",
        Integer.toString(link.port()));
  }

  private LinkPlan addLink(String process, int target) throws IOException {
    LinkPlan link = new LinkPlan(process, port(process + LINK), target);
    links.add(link);
    return link;
  }

  private String bootstrapServers(int brokers) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= brokers; i++) {
      String name = Role.BROKER.nameOf(i);
      addresses.add("127.0.0.1:" + published(name, port(name)));
    }
    return String.join(",", addresses);
  }

  /** Adds replication-services that host only search copies. */
  private void addSearchServices(int count, List<String> shared) throws IOException {
    List<String> searchArguments = new ArrayList<>(shared);
    searchArguments.add("--varve.node.roles=search");
    for (int i = 1; i <= count; i++) {
      addService(Role.REPLICATION_SERVICE, "search-service-" + i, false, searchArguments);
    }
  }

  private void addServices(Role role, int count, List<String> shared) throws IOException {
    for (int i = 1; i <= count; i++) {
      boolean usesGivenPort = role == Role.COORDINATOR && i == 1;
      addService(role, role.nameOf(i), usesGivenPort, shared);
    }
  }

  private void addService(Role role, String name, boolean usesGivenPort, List<String> shared)
      throws IOException {
    int port = usesGivenPort ? site.port() : port(name);
    List<String> arguments = new ArrayList<>(shared);
    arguments.add("--varve.data=" + site.data().resolve(name));
    arguments.add("--varve.node-name=" + name);
    int forProcesses = options.secured() ? port(name + SecurityFolder.INTERNAL) : port;
    arguments.add("--varve.publish-address=127.0.0.1:" + published(name, forProcesses));
    arguments.add("--server.port=" + port);
    if (options.secured()) {
      SecurityFolder.Member member =
          new SecurityFolder.Member(name, role.service(), site.data().resolve(name), forProcesses);
      arguments.addAll(new SecurityFolder(site.data()).arguments(member, shared));
    }
    String scheme = options.secured() ? "https" : "http";
    plans.add(new ProcessPlan(name, role, scheme + "://127.0.0.1:" + port, List.of(), arguments));
    if (site.linked() && role == Role.COORDINATOR) {
      addLink(name, port);
    }
  }

  private int published(String name, int port) throws IOException {
    return options.publishedPorts() == ClusterOptions.PublishedPorts.APART
        ? port(name + PUBLISHED)
        : port;
  }
}
