package io.varve.http.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Refuses to start a service that others can reach and whose security nobody has decided on:
 *
 * <pre>
 *   varve.security.enabled   all addresses are loopback   one is not
 *   true                     starts, secured              starts, secured
 *   false                    starts                       starts
 *   not set                  starts                       refuses to start
 * </pre>
 */
public final class SecurityDefault
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {

  static final String ENABLED = "varve.security.enabled";

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    Environment environment = context.getEnvironment();
    if (environment.getProperty(ENABLED) != null) {
      return;
    }
    requireLoopback("server.address", environment.getProperty("server.address"));
    if (environment.getProperty("management.server.port") != null) {
      requireLoopback(
          "management.server.address",
          environment.getProperty(
              "management.server.address", environment.getProperty("server.address", "")));
    }
  }

  private static void requireLoopback(String property, @Nullable String address) {
    if (!isLoopback(address)) {
      throw new IllegalStateException(
          "["
              + property
              + "] is ["
              + address
              + "], which other machines can reach: set ["
              + ENABLED
              + "] to true, or to false if the network is trusted");
    }
  }

  /** No address means all addresses of the machine. */
  static boolean isLoopback(@Nullable String address) {
    if (address == null || address.isEmpty()) {
      return false;
    }
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
