package io.varve.kafka;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * The security of a broker, all of whose listeners then use TLS: that of clients, that of other
 * clusters and that of the controllers. It is read from a folder with the files
 *
 * <pre>
 *   broker.properties   Kafka's properties: ssl.*, authorizer.class.name, super.users, …
 *   broker.acls         the permissions of others than super users, one a line ({@link BrokerAcl#line})
 * </pre>
 *
 * @param properties override those of {@link EmbeddedBroker}
 * @param acls are created at the start. Further ones that an administrator created stay
 */
public record BrokerSecurity(Map<String, String> properties, List<BrokerAcl> acls) {

  public static final String PROPERTIES_FILE = "broker.properties";
  public static final String ACLS_FILE = "broker.acls";

  /** Without TLS and permissions. */
  public static final BrokerSecurity NONE = new BrokerSecurity(Map.of(), List.of());

  public BrokerSecurity {
    properties = Map.copyOf(properties);
    acls = List.copyOf(acls);
  }

  /** Reads the files in the folder. */
  public static BrokerSecurity read(Path folder) throws IOException {
    Properties file = new Properties();
    try (Reader text = Files.newBufferedReader(folder.resolve(PROPERTIES_FILE))) {
      file.load(text);
    }
    Map<String, String> properties = new HashMap<>();
    file.stringPropertyNames().forEach(name -> properties.put(name, file.getProperty(name)));
    List<BrokerAcl> acls = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(ACLS_FILE))) {
      acls.add(BrokerAcl.parse(line));
    }
    return new BrokerSecurity(properties, acls);
  }

  /** The protocol of all listeners. */
  String protocol() {
    return properties.isEmpty() ? "PLAINTEXT" : "SSL";
  }

  /**
   * Creates the permissions that do not exist. The controllers are called, because clients may
   * reach the broker through a proxy.
   */
  void createAcls(BrokerConfig config)
      throws ExecutionException, TimeoutException, InterruptedException {
    if (acls.isEmpty()) {
      return;
    }
    Map<String, String> client = new HashMap<>();
    properties.forEach((name, value) -> {
      if (name.startsWith("ssl.")) {
        client.put(name, value);
      }
    });
    client.put(AdminClientConfig.SECURITY_PROTOCOL_CONFIG, protocol());
    client.put(AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG, config.controllers());
    BrokerAcls.create(client, acls);
  }
}
