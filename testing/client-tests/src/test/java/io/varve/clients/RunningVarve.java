package io.varve.clients;

import io.varve.kafka.FreePorts;
import io.varve.security.BuiltInRoles;
import io.varve.standalone.Readiness;
import io.varve.standalone.RestAccess;
import io.varve.standalone.SecurityFolder;
import io.varve.standalone.Standalone;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * The Varve that all tests of a JVM share: started for the first test that needs it, or already
 * running at {@code -Dvarve.url}. With {@code -Dtests.secured=true} the one that is started has
 * security with TLS, and clients are the user {@code admin}.
 */
public final class RunningVarve {

  private static final Duration READY_WITHIN = Duration.ofMinutes(5);

  /** Long timeouts, so that no node leaves the cluster only because the machine is slow. */
  private static final List<String> PATIENT =
      List.of("--varve.node.timeout-millis=60000", "--varve.leader.timeout-millis=60000");

  private RunningVarve() {}

  /** How clients of a secured Varve log in: certificates to trust, and a user. */
  public record Login(Path authorities, SSLContext tls, String user, String password) {}

  private record Server(String url, RestAccess access, Optional<Login> login) {}

  private static final class Holder {
    static final Server SERVER = start();
  }

  public static String url() {
    return Holder.SERVER.url();
  }

  public static RestAccess access() {
    return Holder.SERVER.access();
  }

  /** Empty if Varve has no security. */
  public static Optional<Login> login() {
    return Holder.SERVER.login();
  }

  /**
   * Returns the used heap after a garbage collection, or 0 if Varve runs in another process, so
   * that comparisons always succeed.
   */
  public static long heapAfterCollection() {
    if (System.getProperty("varve.url") != null) {
      return 0;
    }
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  private static Server start() {
    String given = System.getProperty("varve.url");
    if (given != null) {
      return new Server(given, RestAccess.PLAIN, Optional.empty());
    }
    boolean secured = Boolean.getBoolean("tests.secured");
    try {
      Path parent = Files.createTempDirectory("varve-clients");
      Path data = parent.resolve("data");
      Standalone standalone =
          Standalone.start(
              new Standalone.Settings(data, FreePorts.next(), "os", PATIENT, false, secured));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(standalone, parent)));
      RestAccess access = secured ? new SecurityFolder(data).access() : RestAccess.PLAIN;
      if (!Readiness.awaitGreen(
          standalone.url(), Standalone.NODES, READY_WITHIN, () -> true, access)) {
        throw new IllegalStateException("not green within " + READY_WITHIN);
      }
      return new Server(
          standalone.url(), access, secured ? Optional.of(login(data)) : Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while starting", e);
    } catch (Exception e) {
      throw new IllegalStateException("could not start", e);
    }
  }

  private static Login login(Path data) throws IOException {
    SecurityFolder security = new SecurityFolder(data);
    return new Login(
        security.trustFile(),
        security.trusting(),
        BuiltInRoles.ADMIN,
        Files.readString(security.adminPasswordFile()).strip());
  }

  private static void end(Standalone standalone, Path data) {
    standalone.close();
    try (Stream<Path> walked = Files.walk(data)) {
      List<Path> files = walked.sorted(Comparator.reverseOrder()).toList();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("left behind: " + data + ": " + e);
    }
  }
}
