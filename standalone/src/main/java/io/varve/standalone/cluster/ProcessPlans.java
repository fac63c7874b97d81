package io.varve.standalone.cluster;

import io.varve.standalone.Options;
import io.varve.standalone.Ports;
import io.varve.standalone.cluster.ProcessPlan.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The processes that the options of a local cluster ask for, in the order in which they are
 * started.
 *
 * <p>With {@code --published-ports apart} each process is announced at another port than it listens
 * on, so that something can stand between it and its peers: {@code ports.json} has the announced
 * one under the process's name with {@value #PUBLISHED} behind it.
 */
final class ProcessPlans {

  static final Set<String> OPTIONS =
      Set.of(
          "data",
          "port",
          "brokers",
          "coordinators",
          "shard-services",
          "replication-services",
          "search-services",
          "ccr-followers",
          "log.flush",
          "published-ports",
          "store",
          "store.",
          "varve.",
          "restart",
          "heap");

  static final String PUBLISHED = "-published";

  private static final int MOST_OF_A_KIND = 32;

  private final Options options;
  private final Path data;
  private final Ports ports;
  private final boolean publishedApart;
  private final List<ProcessPlan> plans = new ArrayList<>();

  private ProcessPlans(Options options, Path data) throws IOException {
    this.options = options;
    this.data = data;
    this.ports = Ports.in(data);
    this.publishedApart =
        switch (options.text("published-ports", "same")) {
          case "apart" -> true;
          case "same" -> false;
          default ->
              throw new IllegalArgumentException(
                  "option [--published-ports] must be [same] or [apart]");
        };
  }

  static List<ProcessPlan> of(Options options, Path data) throws IOException {
    ProcessPlans all = new ProcessPlans(options, data);
    int brokers = options.number("brokers", 1, 1, 9);
    all.addBrokers(brokers);
    List<String> shared = new ArrayList<>(options.serviceArguments());
    shared.add("--varve.kafka.bootstrap-servers=" + all.bootstrapServers(brokers));
    shared.add("--varve.kafka.replication-factor=" + Math.min(brokers, 3));
    all.addServices(Role.COORDINATOR, options.number("coordinators", 1, 1, MOST_OF_A_KIND), shared);
    all.addServices(
        Role.SHARD_SERVICE, options.number("shard-services", 2, 1, MOST_OF_A_KIND), shared);
    all.addServices(
        Role.REPLICATION_SERVICE,
        options.number("replication-services", 2, 0, MOST_OF_A_KIND),
        shared);
    all.addSearchServices(options.number("search-services", 0, 0, MOST_OF_A_KIND), shared);
    all.addServices(
        Role.CCR_FOLLOWER, options.number("ccr-followers", 1, 0, MOST_OF_A_KIND), shared);
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
                  "--flush", options.text("log.flush", "os"))));
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

  /** Replication-services that hold copies for searches and no others. */
  private void addSearchServices(int count, List<String> shared) throws IOException {
    List<String> forSearches = new ArrayList<>(shared);
    forSearches.add("--varve.node.roles=search");
    for (int i = 1; i <= count; i++) {
      addService(Role.REPLICATION_SERVICE, "search-service-" + i, false, forSearches);
    }
  }

  private void addServices(Role role, int count, List<String> shared) throws IOException {
    for (int i = 1; i <= count; i++) {
      boolean front = role == Role.COORDINATOR && i == 1;
      addService(role, role.nameOf(i), front, shared);
    }
  }

  private void addService(Role role, String name, boolean front, List<String> shared)
      throws IOException {
    int port = front ? options.number("port", 9200, 1, 65535) : ports.of(name);
    List<String> arguments = new ArrayList<>(shared);
    arguments.add("--varve.data=" + data.resolve(name));
    arguments.add("--varve.node-name=" + name);
    arguments.add("--varve.publish-address=127.0.0.1:" + published(name, port));
    arguments.add("--server.port=" + port);
    plans.add(new ProcessPlan(name, role, "http://127.0.0.1:" + port, arguments));
  }

  private int published(String name, int port) throws IOException {
    return publishedApart ? ports.of(name + PUBLISHED) : port;
  }
}
