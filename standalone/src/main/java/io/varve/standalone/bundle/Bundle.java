package io.varve.standalone.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.standalone.CommandLines;
import io.varve.standalone.ConnectOptions;
import io.varve.standalone.DataOptions;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code varve bundle}: writes a zip with the state of a cluster and the ends of its logs, from
 * which {@link Redactor} has removed secrets. If no cluster answers, it contains only the logs.
 */
@Command(
    name = "varve bundle",
    description = "Writes a zip for a fault report.",
    footer = {
      "",
      "It has versions, health, nodes, statistics, settings, allocation, tasks, metrics, and the",
      "last megabyte of each log. Secrets, documents, mappings and searches are omitted; names of",
      "indices, nodes and hosts are not. Check its content before you send it."
    },
    sortOptions = false)
public final class Bundle implements Callable<Integer> {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "the zip to write (default: varve-bundle-TIME.zip)")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "data folder whose logs are added (default: those of demo and cluster)")
  private Optional<Path> data = Optional.empty();

  @Mixin private ConnectOptions connection;

  private Bundle() {}

  public static void main(String[] arguments) {
    System.setProperty("logback.configurationFile", "logback-stderr.xml");
    System.exit(commandLine(arguments).execute(arguments));
  }

  public static CommandLine commandLine(String... arguments) {
    return CommandLines.of(new Bundle(), List.of(), arguments);
  }

  @Override
  public Integer call() {
    try {
      Map<String, String> files = new TreeMap<>();
      files.put("about.txt", about());
      boolean answered = addPages(files);
      for (Path folder : folders()) {
        new LogTails(folder)
            .read()
            .forEach((log, text) -> files.put("logs/" + folder.getFileName() + "/" + log, text));
      }
      if (!answered && files.size() == 1) {
        System.err.println("varve: there are also no logs; name a data folder with --data");
        return 1;
      }
      Path file =
          out.orElseGet(() -> Path.of("varve-bundle-" + TIME.format(Instant.now()) + ".zip"));
      write(file, files, new Redactor(secrets()));
      System.out.println(file.toAbsolutePath() + " has " + files.size() + " files");
      return 0;
    } catch (FileAlreadyExistsException e) {
      System.err.println("varve: " + e.getMessage() + " exists already");
    } catch (IOException e) {
      System.err.println("varve: " + e);
    }
    return 1;
  }

  private boolean addPages(Map<String, String> files) {
    try (RestCalls rest = connection.connect(TIMEOUT)) {
      files.putAll(new ClusterPages(rest).read());
      return true;
    } catch (IOException e) {
      System.err.println("varve: " + e.getMessage() + "; only logs are collected");
      return false;
    }
  }

  private List<Path> folders() {
    return data.map(folder -> List.of(folder.toAbsolutePath().normalize()))
        .orElseGet(() ->
            List.of(
                DataOptions.byDefault("demo"),
                DataOptions.byDefault("cluster"),
                DataOptions.byDefault("standalone")));
  }

  /** The password of the call, and the secrets in the data folder of a secured Varve. */
  private List<String> secrets() throws IOException {
    List<String> secrets = new ArrayList<>();
    connection.password().ifPresent(secrets::add);
    connection.authorization().ifPresent(secrets::add);
    for (Path folder : folders()) {
      Path security = folder.resolve("security");
      if (Files.isDirectory(security)) {
        try (Stream<Path> files = Files.list(security)) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            secrets.add(Files.readString(file).strip());
          }
        }
      }
    }
    return secrets;
  }

  private static String about() {
    return "Java "
        + Runtime.version()
        + "\n"
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch")
        + "\n"
        + Runtime.getRuntime().availableProcessors()
        + " processors\n";
  }

  /** Only its owner can read the file. */
  private static void write(Path file, Map<String, String> files, Redactor redactor)
      throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file), UTF_8)) {
      for (Map.Entry<String, String> one : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(one.getKey()));
        zip.write(redactor.redact(one.getValue()).getBytes(UTF_8));
        zip.closeEntry();
      }
    }
  }
}
