package io.varve.standalone.cluster;

import io.varve.standalone.Ports;
import io.varve.standalone.cluster.ProcessPlan.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Derives the processes of a local cluster from its options, in start order.
 *
 * <p>With {@code --published-ports apart} each process publishes a port that differs from the one
 * it listens on, so that a proxy can be placed between it and its peers. {@code ports.json} holds
 * the published port under the process's name with the suffix {@value #PUBLISHED}.
 */
final class ProcessPlans {

  static final String PUBLISHED = "-published";

  private final ClusterOptions options;
  private final Path data;
  private final Ports ports;
  private final List<ProcessPlan> plans = new ArrayList<>();

  private ProcessPlans(ClusterOptions options) throws IOException {
    this.options = options;
    this.data = options.data();
    this.ports = Ports.in(data);
  }

  static List<ProcessPlan> of(ClusterOptions options) throws IOException {
    ProcessPlans all = new ProcessPlans(options);
    int brokers = options.brokers();
    all.addBrokers(brokers);
    List<String> shared = new ArrayList<>(options.serviceArguments());
    shared.add("--varve.kafka.bootstrap-servers=" + all.bootstrapServers(brokers));
    shared.add("--varve.kafka.replication-factor=" + Math.min(brokers, 3));
    all.addServices(Role.COORDINATOR, options.coordinators(), shared);
    all.addServices(Role.SHARD_SERVICE, options.shardServices(), shared);
    all.addServices(Role.REPLICATION_SERVICE, options.replicationServices(), shared);
    all.addSearchServices(options.searchServices(), shared);
    all.addServices(Role.CCR_FOLLOWER, options.ccrFollowers(), shared);
    return List.copyOf(all.plans);
  }

  private void addBrokers(int count) throws IOException {
    List<String> voters = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      voters.add(i + "@127.0.0.1:" + ports.of(Role.BROKER.nameOf(i) + "-controller"));
    }
    for (int i = 1; i <= count; i++) {
      String name = Role.BROKER.nameOf(i);
      int port = ports.of(name);
      plans.add(
          new ProcessPlan(
              name,
              Role.BROKER,
              "127.0.0.1:" + port,
              List.of(
                  "--data", data.resolve(name).toString(),
                  "--node-id", Integer.toString(i),
                  "--port", Integer.toString(port),
                  "--controller-port", Integer.toString(ports.of(name + "-controller")),
                  "--advertised-port", Integer.toString(published(name, port)),
                  "--voters", String.join(",", voters),
                  "--flush", options.flush())));
    }
  }

  private String bootstrapServers(int brokers) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= brokers; i++) {
      String name = Role.BROKER.nameOf(i);
      addresses.add("127.0.0.1:" + published(name, ports.of(name)));
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
    int port = usesGivenPort ? options.port() : ports.of(name);
    List<String> arguments = new ArrayList<>(shared);
    arguments.add("--varve.data=" + data.resolve(name));
    arguments.add("--varve.node-name=" + name);
    arguments.add("--varve.publish-address=127.0.0.1:" + published(name, port));
    arguments.add("--server.port=" + port);
    plans.add(new ProcessPlan(name, role, "http://127.0.0.1:" + port, arguments));
  }

  private int published(String name, int port) throws IOException {
    return options.publishedPorts() == ClusterOptions.PublishedPorts.APART
        ? ports.of(name + PUBLISHED)
        : port;
  }
}
