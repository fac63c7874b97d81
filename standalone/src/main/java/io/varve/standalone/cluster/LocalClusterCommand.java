package io.varve.standalone.cluster;

import io.varve.standalone.Banner;
import io.varve.standalone.CommandLines;
import io.varve.standalone.Readiness;
import io.varve.standalone.SecurityFolder;
import io.varve.standalone.ServiceOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code varve cluster}: runs a {@link LocalCluster} in the foreground until SIGTERM. */
@Command(
    name = "varve cluster",
    description = "Starts each service as a process.",
    footer = {
      "",
      "--store.NAME VALUE  sets the property varve.store.NAME of each service",
      "--varve.NAME VALUE  sets the property varve.NAME of each service"
    },
    sortOptions = false)
final class LocalClusterCommand extends ClusterOptions implements Callable<Integer> {

  private static final Duration START_WITHIN = Duration.ofMinutes(4);

  static CommandLine commandLine(String... arguments) {
    return CommandLines.of(new LocalClusterCommand(), ServiceOptions.PREFIXES, arguments);
  }

  @Override
  public Integer call() throws Exception {
    check();
    CountDownLatch ended = new CountDownLatch(1);
    LocalCluster cluster = LocalCluster.start(this);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  cluster.close();
                  ended.countDown();
                },
                "varve-shutdown"));
    Optional<String> status = cluster.awaitUp(START_WITHIN);
    if (status.isEmpty()) {
      System.err.println("varve: " + cluster.whyNotUp());
      return 1;
    }
    Readiness.warnUnlessGreen(status.get());
    cluster.followerUrl().ifPresent(url -> System.out.println("follower " + url));
    System.out.println("ready " + cluster.url());
    new Banner(cluster.url(), cluster.kafka(), data().toString(), heap() + " in each process")
        .print();
    if (secured()) {
      SecurityFolder security = new SecurityFolder(data());
      System.out.println("  admin    the password is in " + security.adminPasswordFile());
      System.out.println("  clients  trust " + security.trustFile() + " (curl --cacert)");
      if (follower()) {
        System.out.println("  follower has the same files in " + data().resolve("follower"));
      }
    }
    ended.await();
    return 0;
  }
}
