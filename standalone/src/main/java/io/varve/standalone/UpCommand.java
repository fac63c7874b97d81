package io.varve.standalone;

import io.varve.kafka.BrokerConfig;
import io.varve.process.ProcessGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code varve up}: runs a {@link Standalone} in the foreground until SIGTERM. */
@Command(
    name = "varve up",
    description = "Starts Varve in one process.",
    footer = {
      "",
      "--store.NAME VALUE      sets the property varve.store.NAME of each service",
      "--varve.NAME VALUE      sets the property varve.NAME of each service",
      "--node.attr.NAME VALUE  sets an attribute of each node"
    },
    sortOptions = false)
final class UpCommand implements Callable<Integer> {

  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final String NODE_ATTRIBUTE = "node.attr.";

  @Spec private CommandSpec command;
  @Mixin private DataOptions data;
  @Mixin private ServiceOptions services;

  @Option(
      names = "--log.flush",
      paramLabel = "always|os",
      defaultValue = "always",
      description = "fsync before an ack, or when the system decides (default: ${DEFAULT-VALUE})")
  private BrokerConfig.Flush flush;

  @Option(
      names = "--search-node",
      description = "starts a node for search-only copies (index.number_of_search_replicas)")
  private boolean searchNode;

  @Option(
      names = "--secured",
      description =
          "HTTPS, and requests need a user; certificates and the password of admin are in the folder"
              + " security of the data folder")
  private boolean secured;

  static CommandLine commandLine(String... arguments) {
    List<String> prefixes = new ArrayList<>(ServiceOptions.PREFIXES);
    prefixes.add(NODE_ATTRIBUTE);
    return CommandLines.of(new UpCommand(), prefixes, arguments);
  }

  Standalone.Settings settings() {
    return new Standalone.Settings(
        data.data("standalone"),
        data.port(),
        flush.name().toLowerCase(Locale.ROOT),
        serviceArguments(),
        searchNode,
        secured);
  }

  private SecurityFolder security() {
    return new SecurityFolder(data.data("standalone"));
  }

  private List<String> serviceArguments() {
    List<String> arguments = new ArrayList<>(services.arguments());
    if (services.logFormat() == ServiceOptions.LogFormat.JSON) {
      // All services write to one log.
      arguments.add("--logging.structured.ecs.service.node-name=standalone");
    }
    CommandLines.properties(command.commandLine().getParseResult(), NODE_ATTRIBUTE)
        .forEach((name, value) -> arguments.add("--varve.node.attr." + name + "=" + value));
    return arguments;
  }

  @Override
  public Integer call() throws Exception {
    Standalone.Settings settings = settings();
    ProcessGuard.install();
    ProcessGuard.dumpInto(settings.data());
    CountDownLatch ended = new CountDownLatch(1);
    Standalone standalone = Standalone.start(settings);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  standalone.close();
                  ended.countDown();
                },
                "varve-shutdown"));
    Optional<String> status =
        Readiness.awaitUp(
            standalone.url(),
            settings.nodes(),
            START_WITHIN,
            () -> true,
            secured ? security().access() : RestAccess.PLAIN);
    if (status.isEmpty()) {
      System.err.println(
          "varve: no answer within " + START_WITHIN.toSeconds() + " s; see the log above");
      return 1;
    }
    Readiness.warnUnlessGreen(status.get());
    System.out.println("ready " + standalone.url());
    if (services.logFormat() == ServiceOptions.LogFormat.TEXT) {
      printBanner(standalone, settings);
    }
    ended.await();
    return 0;
  }

  private void printBanner(Standalone standalone, Standalone.Settings settings) {
    new Banner(
            standalone.url(),
            standalone.kafka(),
            settings.data().toString(),
            Banner.megabytes(Runtime.getRuntime().maxMemory()))
        .print();
    if (secured) {
      System.out.println("  admin    the password is in " + security().adminPasswordFile());
      System.out.println("  clients  trust " + security().trustFile() + " (curl --cacert)");
    }
  }
}
