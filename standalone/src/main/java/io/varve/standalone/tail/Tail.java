package io.varve.standalone.tail;

import io.varve.changes.Change;
import io.varve.changes.ChangeStart;
import io.varve.changes.ChangeStreamException;
import io.varve.changes.ChangeTail;
import io.varve.standalone.CommandLines;
import io.varve.standalone.IntRange;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
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
          "where to start (default: behind the last change that the group received, or at the end)")
  private @Nullable ChangeStart from;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      defaultValue = "varve-tail",
      description =
          "consumer group; runs of one group at the same time share the shards"
              + " (default: ${DEFAULT-VALUE})")
  private String group = "";

  @Option(
      names = "--port",
      paramLabel = "N",
      converter = IntRange.Port.class,
      defaultValue = "9200",
      description = "REST port of Varve on this machine (default: ${DEFAULT-VALUE})")
  private int port;

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
    ChangeTail.Request request =
        new ChangeTail.Request(List.of("127.0.0.1:" + port), index, group, from);
    ChangeTail tail;
    try {
      tail = ChangeTail.follow(request, this::print);
    } catch (IOException e) {
      System.err.println("varve: " + e.getMessage());
      return 1;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(tail::close, "varve-shutdown"));
    return await(tail);
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

  /** A change whose line could not be written is not committed, and the reader is gone. */
  private void print(Change change) {
    out.println(ChangeLine.of(change));
    if (out.checkError()) {
      Thread.ofPlatform().name("varve-exit").start(() -> System.exit(1));
      throw new IllegalStateException("standard output is closed");
    }
  }
}
