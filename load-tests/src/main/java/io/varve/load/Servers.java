package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The servers of one measurement: Varve, which is started here, and the peer if one is given. */
record Servers(List<MeasuredServer> all, Path data) implements AutoCloseable {

  /** The name of a cluster with security. */
  static final String SECURED = "secured";

  /** Starts a process for each service, one of each kind, or one process with all of them. */
  static Servers of(BenchOptions options, ServerKind kind) throws IOException {
    if (kind == ServerKind.CLUSTER) {
      return of(options, 1, 1, "always");
    }
    Path data = Files.createTempDirectory("varve-bench");
    return with(MeasuredServer.up(home(), data, options), options, data);
  }

  /**
   * Starts Varve alone.
   *
   * @param replicationServices number of replication-services of a cluster; the only process of
   *     {@link ServerKind#UP} holds just primaries
   */
  static Servers alone(ServerOptions options, ServerKind kind, int replicationServices)
      throws IOException {
    Path data = Files.createTempDirectory("varve-bench");
    MeasuredServer varve =
        kind == ServerKind.UP
            ? MeasuredServer.up(home(), data, options)
            : cluster(options, data, new Nodes(1, 1, replicationServices), "never");
    return new Servers(List.of(varve), data);
  }

  /**
   * Starts a cluster of one process of each kind with security, and calls it as its administrator.
   */
  static Servers secured(ServerOptions options, int port) throws IOException {
    Path data = Files.createTempDirectory("varve-bench");
    List<String> arguments = new ArrayList<>(arguments(options, new Nodes(1, 1, 1), "never"));
    arguments.add("--secured");
    MeasuredServer varve = MeasuredServer.varve(home(), data, port, arguments);
    return new Servers(List.of(varve.with(SECURED, ServerAccess.admin(data))), data);
  }

  /**
   * Starts a cluster with the given numbers of data nodes.
   *
   * @param restart whether a process that exits is restarted: {@code always} or {@code never}
   */
  static Servers of(
      BenchOptions options, int shardServices, int replicationServices, String restart)
      throws IOException {
    return of(options, 1, shardServices, replicationServices, restart);
  }

  /** The same with several coordinators. */
  static Servers of(
      BenchOptions options,
      int coordinators,
      int shardServices,
      int replicationServices,
      String restart)
      throws IOException {
    Path data = Files.createTempDirectory("varve-bench");
    Nodes nodes = new Nodes(coordinators, shardServices, replicationServices);
    return with(cluster(options, data, nodes, restart), options, data);
  }

  /** The numbers of processes of each kind. */
  private record Nodes(int coordinators, int shardServices, int replicationServices) {}

  private static MeasuredServer cluster(
      ServerOptions options, Path data, Nodes nodes, String restart) throws IOException {
    return MeasuredServer.varve(home(), data, options.port(), arguments(options, nodes, restart));
  }

  private static List<String> arguments(ServerOptions options, Nodes nodes, String restart) {
    return List.of(
        "--coordinators",
        Integer.toString(nodes.coordinators()),
        "--shard-services",
        Integer.toString(nodes.shardServices()),
        "--replication-services",
        Integer.toString(nodes.replicationServices()),
        "--restart",
        restart,
        "--ccr-followers",
        "0",
        "--log.flush",
        options.flush(),
        "--heap",
        options.heap());
  }

  private static Path home() {
    return Path.of(System.getProperty("varve.home", "."));
  }

  private static Servers with(MeasuredServer varve, BenchOptions options, Path data) {
    List<MeasuredServer> servers = new ArrayList<>();
    servers.add(varve);
    options
        .peerUrl()
        .ifPresent(url -> servers.add(MeasuredServer.running("peer", url, options.peerPids())));
    return new Servers(servers, data);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (MeasuredServer server : all) {
      server.close();
    }
    TemporaryFolders.delete(data);
  }
}
