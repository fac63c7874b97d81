package io.varve.standalone.tail;

import io.varve.changes.Change;
import io.varve.changes.ChangeStart;
import io.varve.changes.ChangeStreamException;
import io.varve.changes.ChangeTail;
import io.varve.changes.ChangeTopics;
import io.varve.log.kafka.KafkaSecurity;
import io.varve.standalone.CommandLines;
import io.varve.standalone.ConnectOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code varve tail}: prints each change of an index as one line of JSON, until SIGTERM or the end
 * of the index. A printed change is committed, so the next run of the group does not repeat it.
 */
@Command(
    name = "varve tail",
    description = "Prints the changes of an index, one JSON object per line.",
    sortOptions = false)
public final class Tail implements Callable<Integer> {

  @Parameters(paramLabel = "INDEX", description = "the index to follow")
  private String index = "";

  @Option(
      names = "--from",
      paramLabel = "beginning|end",
      description =
          "where to start (default: after the last change that the group received, or at the end)")
  private @Nullable ChangeStart from;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      defaultValue = "varve-tail",
      description =
          "consumer group; runs of one group at the same time share the shards"
              + " (default: ${DEFAULT-VALUE})")
  private String group = "";

  @Mixin private ConnectOptions connect;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description =
          "node.pem of a node of the service consumer, if Varve is secured: its brokers require it")
  private Optional<Path> certificate = Optional.empty();

  private final PrintStream out =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

  private Tail() {}

  public static void main(String[] arguments) {
    System.setProperty("logback.configurationFile", "logback-stderr.xml");
    System.exit(commandLine(arguments).execute(arguments));
  }

  public static CommandLine commandLine(String... arguments) {
    return CommandLines.of(new Tail(), List.of(), arguments);
  }

  @Override
  public Integer call() throws InterruptedException {
    ChangeTail tail;
    try {
      tail =
          ChangeTail.follow(
              new ChangeTail.Request(index, group, from), topics(), kafka(), this::print);
    } catch (IOException e) {
      System.err.println("varve: " + e.getMessage());
      return 1;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(tail::close, "varve-shutdown"));
    return await(tail);
  }

  private ChangeTopics topics() throws IOException {
    Optional<String> authorization = connect.authorization();
    return new ChangeTopics(List.of(connect.address()), connect.tls(), () -> authorization);
  }

  private Map<String, String> kafka() {
    return connect
        .authorities()
        .map(authorities ->
            KafkaSecurity.tls(new KafkaSecurity.PemFiles(certificate.orElse(null), authorities))
                .properties())
        .orElse(Map.of());
  }

  private int await(ChangeTail tail) throws InterruptedException {
    try {
      return switch (tail.awaitEnd()) {
        case CLOSED -> 0;
        case INDEX_DELETED -> {
          System.err.println("varve: index [" + index + "] was deleted; it has no further changes");
          yield 0;
        }
      };
    } catch (ChangeStreamException | IllegalStateException e) {
      System.err.println("varve: " + e.getMessage());
      return 1;
    }
  }

  /** If a line can't be written, its change is not committed, because the reader has ended. */
  private void print(Change change) {
    out.println(ChangeLine.of(change));
    if (out.checkError()) {
      Thread.ofPlatform().name("varve-exit").start(() -> System.exit(1));
      throw new IllegalStateException("standard output is closed");
    }
  }
}
