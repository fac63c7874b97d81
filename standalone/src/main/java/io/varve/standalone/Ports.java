package io.varve.standalone;

import io.varve.events.Json;
import io.varve.kafka.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Assigns ports to the processes of a data folder. A port is chosen once from the free ports and
 * stored in {@code ports.json}, so that a restarted process keeps the port that its peers and
 * clients use.
 */
public final class Ports {

  private final Path file;
  private final Map<String, Integer> byName = new LinkedHashMap<>();

  private Ports(Path file) {
    this.file = file;
  }

  public static Ports in(Path data) throws IOException {
    Ports ports = new Ports(data.resolve("ports.json"));
    if (Files.exists(ports.file)) {
      Map<?, ?> stored = Json.read(Files.readAllBytes(ports.file), Map.class);
      stored.forEach((name, port) -> ports.byName.put((String) name, (Integer) port));
    }
    return ports;
  }

  /** Returns the port of {@code name}; chooses one if none is stored yet. */
  public int of(String name) throws IOException {
    Integer known = byName.get(name);
    if (known != null) {
      return known;
    }
    int port = freePort();
    byName.put(name, port);
    Files.write(file, Json.write(byName));
    return port;
  }

  private int freePort() throws IOException {
    while (true) {
      int port = FreePorts.next();
      if (!byName.containsValue(port)) {
        return port;
      }
    }
  }
}
