package io.varve.kafka;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A broker as a process of its own: {@code --data --node-id --port --controller-port --voters
 * --flush}. Prints {@code ready HOST:PORT}, ends on SIGTERM.
 */
public final class BrokerMain {

  private BrokerMain() {}

  public static void main(String[] arguments) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    EmbeddedBroker broker =
        EmbeddedBroker.start(
            new BrokerConfig(
                Path.of(required(options, "--data")),
                Integer.parseInt(required(options, "--node-id")),
                "127.0.0.1",
                Integer.parseInt(required(options, "--port")),
                Integer.parseInt(required(options, "--controller-port")),
                required(options, "--voters"),
                BrokerConfig.Flush.of(required(options, "--flush"))));
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  broker.close();
                  ended.countDown();
                },
                "broker-shutdown"));
    System.out.println("ready " + broker.bootstrapServers());
    ended.await();
  }

  private static String required(Map<String, String> options, String name) {
    String value = options.get(name);
    if (value == null) {
      throw new IllegalArgumentException("option [" + name + "] is missing");
    }
    return value;
  }
}
