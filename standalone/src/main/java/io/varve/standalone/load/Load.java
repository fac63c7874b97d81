package io.varve.standalone.load;

import io.varve.standalone.CommandLines;
import io.varve.standalone.ConnectOptions;
import io.varve.standalone.IntRange;
import io.varve.standalone.RestCalls;
import io.varve.standalone.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code varve load}: indexes a file of documents. It prints the number of indexed documents, and
 * of refused ones by reason. It exits with 0 only if all were indexed.
 */
@Command(
    name = "varve load",
    description = "Indexes documents, one JSON object per line, under generated ids.",
    footer = {
      "",
      "Documents that were refused, and those that were not sent because a request failed, are",
      "counted. A second run indexes the whole input again."
    },
    sortOptions = false)
public final class Load implements Callable<Integer> {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String STANDARD_INPUT = "-";

  @Parameters(paramLabel = "FILE", description = "the documents; - is the standard input")
  private String file = "";

  @Option(names = "--index", paramLabel = "NAME", required = true, description = "the index")
  private String index = "";

  @Option(
      names = "--connections",
      paramLabel = "N",
      converter = Connections.class,
      defaultValue = "4",
      description = "bulk requests in flight, 1 to 64 (default: ${DEFAULT-VALUE})")
  private int connections;

  @Option(
      names = "--bulk",
      paramLabel = "N",
      converter = BulkSize.class,
      defaultValue = "1000",
      description = "documents of a bulk request, 1 to 100000 (default: ${DEFAULT-VALUE})")
  private int bulk;

  @Mixin private ConnectOptions connection;

  /** The number of bulk requests in flight. */
  static final class Connections extends IntRange {
    Connections() {
      super(1, 64);
    }
  }

  /** The number of documents of a bulk request. */
  static final class BulkSize extends IntRange {
    BulkSize() {
      super(1, 100_000);
    }
  }

  private Load() {}

  public static void main(String[] arguments) {
    System.setProperty("logback.configurationFile", "logback-stderr.xml");
    System.exit(commandLine(arguments).execute(arguments));
  }

  public static CommandLine commandLine(String... arguments) {
    return CommandLines.of(new Load(), List.of(), arguments);
  }

  @Override
  public Integer call() throws InterruptedException {
    boolean piped = file.equals(STANDARD_INPUT);
    try (InputStream in = piped ? System.in : Files.newInputStream(Path.of(file));
        RestCalls rest = connection.connect(TIMEOUT)) {
      return load(in, piped ? ProgressBar.UNKNOWN : Files.size(Path.of(file)), rest);
    } catch (NoSuchFileException e) {
      System.err.println("varve: there is no file " + file);
    } catch (CharacterCodingException e) {
      System.err.println(
          "varve: " + file + " has bytes that are not UTF-8, and was not read further");
    } catch (IOException e) {
      System.err.println("varve: " + e.getMessage());
    }
    return 1;
  }

  private int load(InputStream in, long sizeBytes, RestCalls rest)
      throws IOException, InterruptedException {
    LineDocuments documents = new LineDocuments(in);
    ProgressBar bar = new ProgressBar(System.out, Terminal.isWatched(), sizeBytes);
    BulkLoader loader = new BulkLoader(rest, new BulkLoader.Settings(index, connections, bulk));
    AtomicBoolean ended = new AtomicBoolean();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  if (!ended.get()) {
                    tellInterrupted(loader.soFar());
                  }
                },
                "varve-shutdown"));
    long began = System.nanoTime();
    try {
      LoadResult result =
          loader.load(documents, indexed -> bar.show(indexed, documents.position()));
      return result.isComplete() ? 0 : 1;
    } finally {
      ended.set(true);
      bar.close();
      tell(loader.soFar(), (System.nanoTime() - began) / 1e9);
    }
  }

  private void tell(LoadResult result, double seconds) {
    System.out.printf(
        Locale.ROOT,
        "indexed %,d documents into %s in %.1f s (%,.0f docs/s), %,d refused%n",
        result.acknowledged(),
        index,
        seconds,
        result.acknowledged() / Math.max(seconds, 1e-3),
        result.refused());
    for (LoadResult.Refusal refusal : result.refusals()) {
      System.out.printf(
          Locale.ROOT,
          "  %,d with %d %s; the first, line %d: %s%n",
          refusal.count(),
          refusal.status(),
          refusal.type(),
          refusal.firstLine(),
          refusal.reason());
    }
    result
        .stop()
        .ifPresent(stop ->
            System.err.printf(
                Locale.ROOT,
                "varve: stopped, because a request failed: %s%n"
                    + "  %,d documents of requests in flight may or may not be indexed; what"
                    + " follows them was not sent%n",
                stop.reason(),
                stop.unknown()));
  }

  private static void tellInterrupted(LoadResult result) {
    System.err.printf(
        Locale.ROOT,
        "varve: interrupted; %,d documents are known to be indexed, and a second run would index"
            + " them again%n",
        result.acknowledged());
  }
}
