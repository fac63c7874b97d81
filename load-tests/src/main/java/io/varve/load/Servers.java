package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The servers of one bench: Varve, started here, and a peer when one is named. */
record Servers(List<Server> all, Path data) implements AutoCloseable {

  static Servers of(Options options) throws IOException {
    return of(options, 1, 1, "always");
  }

  /**
   * With so many data nodes of each kind.
   *
   * @param restart {@code always} or {@code never}: whether a process that ends is started again
   */
  static Servers of(Options options, int shardServices, int replicationServices, String restart)
      throws IOException {
    Path data = Files.createTempDirectory("varve-bench");
    Path home = Path.of(System.getProperty("varve.home", "."));
    List<Server> servers = new ArrayList<>();
    servers.add(
        Server.varve(
            home,
            data,
            options.number("--port", 9400),
            List.of(
                "--shard-services",
                Integer.toString(shardServices),
                "--replication-services",
                Integer.toString(replicationServices),
                "--restart",
                restart,
                "--ccr-followers",
                "0",
                "--log.flush",
                options.text("--log.flush", "os"),
                "--heap",
                options.text("--heap", "2g"))));
    if (options.has("--peer-url")) {
      List<Long> pids =
          Arrays.stream(options.text("--peer-pids", "").split(",")).map(Long::parseLong).toList();
      servers.add(Server.running("peer", options.text("--peer-url", ""), pids));
    }
    return new Servers(servers, data);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (Server server : all) {
      server.close();
    }
    try (Stream<Path> files = Files.walk(data)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
