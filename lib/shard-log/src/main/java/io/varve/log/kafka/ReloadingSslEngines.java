package io.varve.log.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's own TLS, except that each new connection uses the key and trust stores as they are now:
 * Kafka's clients read them once, and so do its brokers unless an administrator tells them to read
 * again. Files must be replaced by a rename. If the changed files can't be used, the previous ones
 * stay in use. Open connections go on.
 */
public final class ReloadingSslEngines implements SslEngineFactory {

  private static final Logger LOG = LoggerFactory.getLogger(ReloadingSslEngines.class);

  /** A file changes when its content is replaced; a renamed file has another key. */
  private record Stamp(long modifiedMillis, long bytes, String key) {

    static Stamp of(Path file) throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(
          attributes.lastModifiedTime().toMillis(),
          attributes.size(),
          String.valueOf(attributes.fileKey()));
    }
  }

  private record Loaded(List<Stamp> stamps, DefaultSslEngineFactory engines) {}

  private Map<String, ?> configs = Map.of();
  private List<Path> files = List.of();
  private @Nullable Loaded loaded;

  /** A change of the files that failed is not tried, nor logged, for each connection. */
  private List<Stamp> unusable = List.of();

  @Override
  public synchronized void configure(Map<String, ?> given) {
    configs = given;
    List<Path> stores = new ArrayList<>();
    for (String name :
        List.of(
            SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG, SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG)) {
      if (given.get(name) instanceof String location) {
        stores.add(Path.of(location));
      }
    }
    files = List.copyOf(stores);
    try {
      loaded = load(stamps());
    } catch (IOException e) {
      throw new UncheckedIOException("a file of the certificates can't be read: " + e, e);
    }
  }

  private List<Stamp> stamps() throws IOException {
    List<Stamp> stamps = new ArrayList<>();
    for (Path file : files) {
      stamps.add(Stamp.of(file));
    }
    return List.copyOf(stamps);
  }

  private Loaded load(List<Stamp> stamps) {
    DefaultSslEngineFactory engines = new DefaultSslEngineFactory();
    engines.configure(configs);
    return new Loaded(stamps, engines);
  }

  private synchronized DefaultSslEngineFactory engines() {
    Loaded current = loaded;
    if (current == null) {
      throw new IllegalStateException("not configured");
    }
    try {
      List<Stamp> now = stamps();
      if (!now.equals(current.stamps()) && !now.equals(unusable)) {
        current = reload(current, now);
      }
    } catch (IOException e) {
      LOG.warn("the certificates of connections to Kafka can't be read; the previous ones stay", e);
    }
    return current.engines();
  }

  private Loaded reload(Loaded previous, List<Stamp> now) {
    try {
      Loaded next = load(now);
      loaded = next;
      unusable = List.of();
      LOG.info("the certificates of connections to Kafka have changed");
      return next;
    } catch (RuntimeException e) {
      unusable = now;
      LOG.error("the changed certificates can't be used; the previous ones stay in use", e);
      return previous;
    }
  }

  @Override
  public SSLEngine createClientSslEngine(
      String peerHost, int peerPort, String endpointIdentification) {
    return engines().createClientSslEngine(peerHost, peerPort, endpointIdentification);
  }

  @Override
  public SSLEngine createServerSslEngine(String peerHost, int peerPort) {
    return engines().createServerSslEngine(peerHost, peerPort);
  }

  /** Other settings than the content of the files change with a restart. */
  @Override
  public boolean shouldBeRebuilt(Map<String, Object> nextConfigs) {
    return false;
  }

  @Override
  public Set<String> reconfigurableConfigs() {
    return Set.of();
  }

  @Override
  public @Nullable KeyStore keystore() {
    return engines().keystore();
  }

  @Override
  public @Nullable KeyStore truststore() {
    return engines().truststore();
  }

  @Override
  public void close() {
    // The files are closed after each reading.
  }
}
