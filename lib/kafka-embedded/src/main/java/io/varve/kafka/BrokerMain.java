package io.varve.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/**
 * Runs a broker in its own process: {@code --data DIR --node-id N --port N --controller-port N
 * --voters ID@HOST:PORT,… --flush always|os}, and {@code --remote-port N --remote-advertised-port
 * N} for a listener for other clusters, {@code --security DIR} for the files of {@link
 * BrokerSecurity}. Prints {@code ready HOST:PORT} when it accepts records, logs warnings to
 * standard error, and exits on SIGTERM.
 */
public final class BrokerMain {

  private static final Set<String> OPTIONS =
      Set.of(
          "--data",
          "--node-id",
          "--port",
          "--controller-port",
          "--advertised-port",
          "--remote-port",
          "--remote-advertised-port",
          "--voters",
          "--flush",
          "--security");

  private BrokerMain() {}

  public static void main(String[] arguments) throws Exception {
    if (System.getProperty("logback.configurationFile") == null) {
      // Must precede the first logger: the default configuration logs at debug level.
      System.setProperty("logback.configurationFile", "io/varve/kafka/broker-logback.xml");
    }
    Map<String, String> options = options(arguments);
    EmbeddedBroker broker = EmbeddedBroker.start(config(options));
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  broker.close();
                  ended.countDown();
                },
                "broker-shutdown"));
    // The parent process reads this line.
    System.out.println("ready " + broker.bootstrapServers());
    ended.await();
  }

  private static BrokerConfig config(Map<String, String> options) throws IOException {
    String security = options.get("--security");
    return new BrokerConfig(
        Path.of(required(options, "--data")),
        number(options, "--node-id", 1),
        "127.0.0.1",
        new BrokerConfig.Ports(
            number(options, "--port", 0),
            number(options, "--controller-port", 0),
            number(options, "--advertised-port", 0),
            new BrokerConfig.Remote(
                number(options, "--remote-port", 0),
                number(options, "--remote-advertised-port", 0))),
        options.getOrDefault("--voters", ""),
        BrokerConfig.Flush.of(options.getOrDefault("--flush", "always")),
        security == null ? BrokerSecurity.NONE : BrokerSecurity.read(Path.of(security)));
  }

  static Map<String, String> options(String[] arguments) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (!OPTIONS.contains(arguments[i]) || i + 1 == arguments.length) {
        throw new IllegalArgumentException(
            "expected one of "
                + new TreeSet<>(OPTIONS)
                + " and a value, got ["
                + arguments[i]
                + "]");
      }
      options.put(arguments[i], arguments[i + 1]);
    }
    return options;
  }

  private static int number(Map<String, String> options, String name, int byDefault) {
    String text = options.get(name);
    try {
      return text == null ? byDefault : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "option [" + name + "] takes a number, was [" + text + "]", e);
    }
  }

  private static String required(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException("option [" + name + "] is missing");
    }
    return value;
  }
}
