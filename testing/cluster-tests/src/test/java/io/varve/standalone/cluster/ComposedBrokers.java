package io.varve.standalone.cluster;

import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The main class of a process with brokers. Each argument is a folder with the properties of a
 * broker, which keeps its data there.
 */
final class ComposedBrokers {

  static final String PROPERTIES = "server.properties";

  private ComposedBrokers() {}

  public static void main(String[] arguments) throws Exception {
    List<Callable<EmbeddedBroker>> starts = new ArrayList<>();
    for (String folder : arguments) {
      starts.add(() -> start(Path.of(folder)));
    }
    // A broker is started when a majority of its cluster's controllers is.
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      for (Future<EmbeddedBroker> started : threads.invokeAll(starts)) {
        System.out.println("started " + started.get().bootstrapServers());
      }
    }
    new CountDownLatch(1).await();
  }

  private static EmbeddedBroker start(Path folder) throws Exception {
    Properties file = new Properties();
    try (Reader text = Files.newBufferedReader(folder.resolve(PROPERTIES))) {
      file.load(text);
    }
    Map<String, String> properties = new HashMap<>();
    file.stringPropertyNames().forEach(name -> properties.put(name, file.getProperty(name)));
    BrokerConfig config =
        new BrokerConfig(
            folder,
            Integer.parseInt(properties.get("node.id")),
            "localhost",
            new BrokerConfig.Ports(9092, 9093),
            properties.get("controller.quorum.voters"),
            BrokerConfig.Flush.OS);
    properties.remove("log.dirs");
    return EmbeddedBroker.start(config, properties);
  }
}
