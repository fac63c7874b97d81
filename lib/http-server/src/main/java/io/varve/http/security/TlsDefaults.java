package io.varve.http.security;

import io.varve.tls.CertificateFolder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Makes the files in {@value #FOLDER} the SSL bundle of the server, which {@link CertificateFiles}
 * reloads. Properties that are set elsewhere take precedence.
 */
final class TlsDefaults {

  static final String FOLDER = "varve.security.tls.folder";

  /** The name of the bundle. */
  static final String BUNDLE = "varve";

  private static final String PREFIX = "spring.ssl.bundle.pem." + BUNDLE + ".";

  private TlsDefaults() {}

  static void addTo(ConfigurableEnvironment environment) {
    String node = "file:${" + FOLDER + "}/" + CertificateFolder.NODE_FILE;
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(PREFIX + "keystore.certificate", node);
    properties.put(PREFIX + "keystore.private-key", node);
    properties.put(
        PREFIX + "truststore.certificate",
        "file:${" + FOLDER + "}/" + CertificateFolder.TRUST_FILE);
    properties.put("server.ssl.bundle", BUNDLE);
    properties.put("server.ssl.client-auth", "none");
    environment.getPropertySources().addLast(new MapPropertySource("varve-tls", properties));
  }
}
