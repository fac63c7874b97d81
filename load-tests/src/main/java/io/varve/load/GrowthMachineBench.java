package io.varve.load;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench growth machine}: measures the cost of shards, indices, replicas and followers on one
 * machine. Each part starts its own processes and produces a table and a picture.
 */
@Command(
    name = "machine",
    description = "Measures what shards, indices, replicas and followers cost on one machine.",
    sortOptions = false)
final class GrowthMachineBench implements Callable<Integer> {

  /** A part of the measurement that can be run separately. */
  private enum Part {
    SHARDS(true),
    INDICES(true),
    REPLICAS(false),
    FOLLOWERS(false);

    /** Whether the sizes are shown on a logarithmic axis. */
    private final boolean logarithmic;

    Part(boolean logarithmic) {
      this.logarithmic = logarithmic;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String HEAP = "1g";
  private static final String COMPRESSION = "lz4";
  private static final LoadClock CLOCK = LoadClock.SYSTEM;

  @Spec private CommandSpec spec;
  @Mixin private ServerOptions options = new ServerOptions(HEAP);
  @Mixin private GrowthMachineOptions chosen = new GrowthMachineOptions();

  @Option(
      names = "--parts",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "shards,indices,replicas,followers",
      description = "the parts to measure (default: ${DEFAULT-VALUE})")
  private List<Part> parts;

  @Option(
      names = "--server",
      paramLabel = "cluster|up",
      defaultValue = "cluster",
      description =
          "of shards and indices: a process for each service, or one for all (default:"
              + " ${DEFAULT-VALUE})")
  private ServerKind server;

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      description =
          "writes the tables to DIR/benchmarks.md and the pictures to DIR/images, as well as to"
              + " the output")
  private Optional<Path> docs = Optional.empty();

  private GrowthMachineBench() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    GrowthSizes sizes = chosen.sizes();
    check(sizes);
    for (Part part : parts) {
      switch (part) {
        case SHARDS -> shards(sizes);
        case INDICES -> indices(sizes);
        case REPLICAS -> replicas(sizes);
        case FOLLOWERS -> followers(sizes);
      }
    }
    return 0;
  }

  private void check(GrowthSizes sizes) {
    int shared = sizes.sharedShards();
    for (int count : sizes.indices()) {
      if (count < 1 || shared % count != 0) {
        throw refused(shared + " shards can't be divided among " + count + " indices");
      }
    }
    for (int count : sizes.followers()) {
      if (count < 0 || count > CcrPair.MAX_FOLLOWERS) {
        throw refused("--followers must be from 0 to " + CcrPair.MAX_FOLLOWERS + ", was " + count);
      }
    }
  }

  private CommandLine.ParameterException refused(String reason) {
    return new CommandLine.ParameterException(spec.commandLine(), reason);
  }

  private void shards(GrowthSizes sizes) throws IOException, InterruptedException {
    List<IndexLayout> layouts =
        sizes.shards().stream().map(count -> new IndexLayout(1, count, 0)).toList();
    try (Servers servers = Servers.alone(options, server, 0)) {
      report(Part.SHARDS, sizes, rounds(servers, sizes).run(layouts, IndexLayout::shards, true));
    }
  }

  private void indices(GrowthSizes sizes) throws IOException, InterruptedException {
    List<IndexLayout> layouts =
        sizes.indices().stream()
            .map(count -> new IndexLayout(count, sizes.sharedShards(), 0))
            .toList();
    try (Servers servers = Servers.alone(options, server, 0)) {
      report(Part.INDICES, sizes, rounds(servers, sizes).run(layouts, IndexLayout::indices, true));
    }
  }

  private void replicas(GrowthSizes sizes) throws IOException, InterruptedException {
    List<IndexLayout> layouts =
        sizes.replicas().stream().map(count -> new IndexLayout(1, 1, count)).toList();
    int most = sizes.replicas().stream().mapToInt(Integer::intValue).max().orElse(0);
    try (Servers servers = Servers.alone(options, ServerKind.CLUSTER, most)) {
      report(
          Part.REPLICAS, sizes, rounds(servers, sizes).run(layouts, IndexLayout::replicas, false));
    }
  }

  private void followers(GrowthSizes sizes) throws IOException, InterruptedException {
    try (CcrPair pair = CcrPair.start(options, "", COMPRESSION, false)) {
      FollowerRounds rounds = new FollowerRounds(pair, sizes.rounds(), CLOCK);
      report(Part.FOLLOWERS, sizes, rounds.run(sizes.followers()));
    }
  }

  private static LayoutRounds rounds(Servers servers, GrowthSizes sizes) {
    return new LayoutRounds(servers.all().getFirst(), sizes, CLOCK);
  }

  private void report(Part part, GrowthSizes sizes, GrowthResults results) throws IOException {
    String what = part.label();
    List<String> conditions = sizes.conditions(options.heap(), cores(), memoryBytes());
    String picture = "growth-" + what + ".svg";
    String section =
        String.join(" ", conditions)
            + ".\n\n"
            + new GrowthTables(what, results).markdown()
            + "\n![What "
            + what
            + " cost](images/"
            + picture
            + ")\n";
    System.out.println(section);
    if (docs.isPresent()) {
      Path folder = docs.get();
      Path images = Files.createDirectories(folder.resolve("images"));
      Files.writeString(
          images.resolve(picture),
          new GrowthPicture(what, part.logarithmic, results).plot(conditions).svg());
      Path page = folder.resolve("benchmarks.md");
      Files.writeString(
          page, new MarkedSection("growth " + what).replacedIn(Files.readString(page), section));
    }
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static long memoryBytes() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }
}
