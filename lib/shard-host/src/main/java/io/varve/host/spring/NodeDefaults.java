package io.varve.host.spring;

import io.varve.http.ServiceDefaults;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts a service with a node; its server listens on a free port by default. */
public final class NodeDefaults {

  private NodeDefaults() {}

  public static ConfigurableApplicationContext start(Class<?> service, String... arguments) {
    return ServiceDefaults.application(service, Map.of("server.port", "0")).run(arguments);
  }
}
