package io.varve.standalone.cluster;

import io.varve.kafka.BrokerConfig;
import io.varve.standalone.CommandLines;
import io.varve.standalone.DataOptions;
import io.varve.standalone.IntRange;
import io.varve.standalone.ServiceOptions;
import io.varve.standalone.link.LinkConditions;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options of a {@link LocalCluster}. */
class ClusterOptions {

  /** Whether a process that exits is restarted. */
  enum Restart {
    ALWAYS,
    NEVER
  }

  /** Whether processes publish the port on which they listen; see {@link ProcessPlans}. */
  enum PublishedPorts {
    SAME,
    APART
  }

  @Mixin private DataOptions data;
  @Mixin private ServiceOptions services;

  @Option(
      names = "--brokers",
      paramLabel = "N",
      converter = BrokerCount.class,
      defaultValue = "1",
      description = "number of brokers (default: ${DEFAULT-VALUE})")
  private int brokers;

  @Option(
      names = "--coordinators",
      paramLabel = "N",
      converter = RequiredServiceCount.class,
      defaultValue = "1",
      description = "number of coordinators (default: ${DEFAULT-VALUE})")
  private int coordinators;

  @Option(
      names = "--shard-services",
      paramLabel = "N",
      converter = RequiredServiceCount.class,
      defaultValue = "2",
      description = "number of shard-services (default: ${DEFAULT-VALUE})")
  private int shardServices;

  @Option(
      names = "--replication-services",
      paramLabel = "N",
      converter = ServiceCount.class,
      defaultValue = "2",
      description = "number of replication-services (default: ${DEFAULT-VALUE})")
  private int replicationServices;

  @Option(
      names = "--search-services",
      paramLabel = "N",
      converter = ServiceCount.class,
      defaultValue = "0",
      description =
          "number of replication-services that hold only search copies (default: ${DEFAULT-VALUE})")
  private int searchServices;

  @Option(
      names = "--ccr-followers",
      paramLabel = "N",
      converter = ServiceCount.class,
      defaultValue = "1",
      description = "number of ccr-followers (default: ${DEFAULT-VALUE})")
  private int ccrFollowers;

  @Option(
      names = "--follower",
      description =
          "starts a second cluster with the same options, on port N+100, whose remote cluster"
              + " [leader] is the first one")
  private boolean follower;

  @Option(
      names = "--link",
      paramLabel = "delay=60ms,rate=50mbit,loss=0.1%%",
      converter = Link.class,
      description = "the network between the follower and its leader (default: none)")
  private Optional<LinkConditions> link = Optional.empty();

  @Option(
      names = "--log.flush",
      paramLabel = "always|os",
      defaultValue = "os",
      description = "fsync before an ack, or when the system decides (default: ${DEFAULT-VALUE})")
  private BrokerConfig.Flush flush;

  @Option(
      names = "--published-ports",
      paramLabel = "same|apart",
      defaultValue = "same",
      description =
          "whether processes publish the port they listen on or another one (default:"
              + " ${DEFAULT-VALUE})")
  private PublishedPorts publishedPorts;

  @Option(
      names = "--secured",
      description =
          "HTTPS, and requests need a user; certificates and the password of admin are in the folder"
              + " security of the data folder")
  private boolean secured;

  @Option(
      names = "--restart",
      paramLabel = "always|never",
      defaultValue = "always",
      description = "whether a process that exits is restarted (default: ${DEFAULT-VALUE})")
  private Restart restart;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "maximum heap of each process (default: ${DEFAULT-VALUE})")
  private String heap;

  @Spec private CommandSpec spec;

  /**
   * Parses a command line.
   *
   * @throws CommandLine.ParameterException for an unknown option, a malformed value, or options
   *     that exclude each other
   */
  static ClusterOptions parse(String... arguments) {
    ClusterOptions options = new ClusterOptions();
    CommandLines.of(options, ServiceOptions.PREFIXES, arguments).parseArgs(arguments);
    options.check();
    return options;
  }

  /**
   * @throws CommandLine.ParameterException for options that exclude each other
   */
  void check() {
    if (link.isPresent() && !follower) {
      throw refused("--link needs --follower: it is the network between the two clusters");
    }
    if (follower && ccrFollowers == 0) {
      throw refused("--follower needs at least one ccr-follower");
    }
    int last = 65_535 - ClusterPlan.FOLLOWER_PORT_DISTANCE;
    if (follower && port() > last) {
      throw refused(
          "--port must be at most "
              + last
              + " with --follower, which uses port N+100, was "
              + port());
    }
  }

  private CommandLine.ParameterException refused(String reason) {
    return new CommandLine.ParameterException(spec.commandLine(), reason);
  }

  Path data() {
    return data.data("cluster");
  }

  int port() {
    return data.port();
  }

  int brokers() {
    return brokers;
  }

  int coordinators() {
    return coordinators;
  }

  int shardServices() {
    return shardServices;
  }

  int replicationServices() {
    return replicationServices;
  }

  int searchServices() {
    return searchServices;
  }

  int ccrFollowers() {
    return ccrFollowers;
  }

  /** Whether a second cluster, which can follow the first one, is started. */
  boolean follower() {
    return follower;
  }

  /** The conditions of the network between both clusters; empty: they connect directly. */
  Optional<LinkConditions> link() {
    return link;
  }

  String flush() {
    return flush.name().toLowerCase(Locale.ROOT);
  }

  PublishedPorts publishedPorts() {
    return publishedPorts;
  }

  /** Whether the cluster has security with TLS. */
  boolean secured() {
    return secured;
  }

  Restart restart() {
    return restart;
  }

  String heap() {
    return heap;
  }

  ServiceOptions.LogFormat logFormat() {
    return services.logFormat();
  }

  List<String> serviceArguments() {
    return services.arguments();
  }

  /**
   * The number of brokers. Each broker is also a controller, and a controller quorum has at most
   * nine members.
   */
  static final class BrokerCount extends IntRange {
    BrokerCount() {
      super(1, 9);
    }
  }

  /** The conditions of a link. */
  static final class Link implements ITypeConverter<LinkConditions> {
    @Override
    public LinkConditions convert(String value) {
      try {
        return LinkConditions.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** The number of instances of a service that every cluster needs. */
  static final class RequiredServiceCount extends IntRange {
    RequiredServiceCount() {
      super(1, 32);
    }
  }

  /** The number of instances of an optional service. */
  static final class ServiceCount extends IntRange {
    ServiceCount() {
      super(0, 32);
    }
  }
}
