package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The servers of one measurement: Varve, which is started here, and the peer if one is given. */
record Servers(List<MeasuredServer> all, Path data) implements AutoCloseable {

  /** Starts a process for each service, one of each kind, or one process with all of them. */
  static Servers of(BenchOptions options, ServerKind kind) throws IOException {
    if (kind == ServerKind.CLUSTER) {
      return of(options, 1, 1, "always");
    }
    Path data = Files.createTempDirectory("varve-bench");
    return with(MeasuredServer.up(home(), data, options), options, data);
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
    MeasuredServer varve =
        MeasuredServer.varve(
            home(),
            data,
            options.port(),
            List.of(
                "--coordinators",
                Integer.toString(coordinators),
                "--shard-services",
                Integer.toString(shardServices),
                "--replication-services",
                Integer.toString(replicationServices),
                "--restart",
                restart,
                "--ccr-followers",
                "0",
                "--log.flush",
                options.flush(),
                "--heap",
                options.heap()));
    return with(varve, options, data);
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
