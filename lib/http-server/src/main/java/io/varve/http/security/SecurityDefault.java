package io.varve.http.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Refuses to start a service that other machines can reach if its security is not configured, or if
 * its passwords would be sent over the network unencrypted:
 *
 * <pre>
 *   varve.security.enabled   all addresses are loopback   one is not
 *   true, with TLS           starts, secured              starts, secured
 *   true, without TLS        starts, secured              refuses to start
 *   false                    starts                       starts
 *   not set                  starts                       refuses to start
 * </pre>
 *
 * Security excludes a separate port of the actuator, which the filters of a service do not protect.
 * With TLS, it adds the properties of {@link TlsDefaults}.
 */
public final class SecurityDefault
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {

  static final String ENABLED = "varve.security.enabled";
  private static final String MANAGEMENT_PORT = "management.server.port";

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    ConfigurableEnvironment environment = context.getEnvironment();
    String enabled = environment.getProperty(ENABLED);
    boolean secured = Boolean.parseBoolean(enabled);
    boolean hasCertificates = environment.getProperty(TlsDefaults.FOLDER) != null;
    if (hasCertificates && !secured) {
      throw new IllegalStateException(
          "[" + TlsDefaults.FOLDER + "] needs [" + ENABLED + "] to be true");
    }
    if (secured && environment.getProperty(MANAGEMENT_PORT) != null) {
      throw new IllegalStateException(
          "["
              + MANAGEMENT_PORT
              + "] excludes ["
              + ENABLED
              + "]: that port has no users and no TLS");
    }
    if (secured && hasCertificates) {
      TlsDefaults.addTo(environment);
    } else if (secured) {
      requireLoopback(environment, "set [" + TlsDefaults.FOLDER + "], because passwords need TLS");
    } else if (enabled == null) {
      requireLoopback(
          environment, "set [" + ENABLED + "] to true, or to false if the network is trusted");
    }
  }

  private static void requireLoopback(Environment environment, String remedy) {
    requireLoopback("server.address", environment.getProperty("server.address"), remedy);
    if (environment.getProperty(MANAGEMENT_PORT) != null) {
      requireLoopback(
          "management.server.address",
          environment.getProperty(
              "management.server.address", environment.getProperty("server.address", "")),
          remedy);
    }
  }

  private static void requireLoopback(String property, @Nullable String address, String remedy) {
    if (!isLoopback(address)) {
      throw new IllegalStateException(
          "[" + property + "] is [" + address + "], which other machines can reach: " + remedy);
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
