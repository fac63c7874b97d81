package io.varve.standalone.cluster;

import io.varve.standalone.Options;
import io.varve.standalone.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A process of a local cluster, before it is started.
 *
 * @param name as in the table of nodes
 * @param url where it listens
 */
record ProcessPlan(String name, Role role, String url, List<String> arguments) {

  static final Set<String> OPTIONS =
      Set.of(
          "data",
          "port",
          "brokers",
          "coordinators",
          "shard-services",
          "replication-services",
          "ccr-followers",
          "log.flush",
          "restart",
          "heap");

  private static final int MOST_OF_A_KIND = 32;

  /** What a process is. */
  enum Role {
    BROKER("broker", "io.varve.kafka.BrokerMain"),
    COORDINATOR("coordinator", "io.varve.coordinator.CoordinatorService"),
    SHARD_SERVICE("shard-service", "io.varve.shard.ShardService"),
    REPLICATION_SERVICE("replication-service", "io.varve.replication.ReplicationService"),
    CCR_FOLLOWER("ccr-follower", "io.varve.ccr.CcrFollowerService");

    final String text;
    final String mainClass;

    Role(String text, String mainClass) {
      this.text = text;
      this.mainClass = mainClass;
    }

    String nameOf(int number) {
      return text + "-" + number;
    }
  }

  /** The processes that the options ask for, in the order in which they are started. */
  static List<ProcessPlan> all(Options options, Path data) throws IOException {
    Ports ports = Ports.in(data);
    int brokers = options.number("brokers", 1, 1, 9);
    List<ProcessPlan> plans =
        new ArrayList<>(brokers(brokers, options.text("log.flush", "os"), data, ports));
    String bootstrap = plans.stream().map(ProcessPlan::url).collect(Collectors.joining(","));
    List<String> shared =
        List.of(
            "--varve.kafka.bootstrap-servers=" + bootstrap,
            "--varve.kafka.replication-factor=" + Math.min(brokers, 3));
    addServices(
        plans,
        Role.COORDINATOR,
        options.number("coordinators", 1, 1, MOST_OF_A_KIND),
        data,
        options,
        shared);
    addServices(
        plans,
        Role.SHARD_SERVICE,
        options.number("shard-services", 2, 1, MOST_OF_A_KIND),
        data,
        options,
        shared);
    addServices(
        plans,
        Role.REPLICATION_SERVICE,
        options.number("replication-services", 2, 0, MOST_OF_A_KIND),
        data,
        options,
        shared);
    addServices(
        plans,
        Role.CCR_FOLLOWER,
        options.number("ccr-followers", 1, 0, MOST_OF_A_KIND),
        data,
        options,
        shared);
    return plans;
  }

  private static List<ProcessPlan> brokers(int count, String flush, Path data, Ports ports)
      throws IOException {
    List<String> voters = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      voters.add(i + "@127.0.0.1:" + ports.of(Role.BROKER.nameOf(i) + "-controller"));
    }
    List<ProcessPlan> plans = new ArrayList<>();
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
                  "--voters", String.join(",", voters),
                  "--flush", flush)));
    }
    return plans;
  }

  private static void addServices(
      List<ProcessPlan> plans,
      Role role,
      int count,
      Path data,
      Options options,
      List<String> shared)
      throws IOException {
    Ports ports = Ports.in(data);
    for (int i = 1; i <= count; i++) {
      String name = role.nameOf(i);
      boolean front = role == Role.COORDINATOR && i == 1;
      int port = front ? options.number("port", 9200, 1, 65535) : ports.of(name);
      List<String> arguments = new ArrayList<>(shared);
      arguments.add("--varve.data=" + data.resolve(name));
      arguments.add("--varve.node-name=" + name);
      arguments.add("--server.port=" + port);
      plans.add(new ProcessPlan(name, role, "http://127.0.0.1:" + port, arguments));
    }
  }

  boolean isNode() {
    return role != Role.BROKER;
  }
}
