package io.varve.log.kafka;

import io.varve.process.FileStamp;
import io.varve.process.RevocationFile;
import io.varve.process.Revocations;
import io.varve.process.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's own TLS, except that each new connection uses the current content of the key and trust
 * stores. Kafka's clients read these files only once, and so do its brokers unless an administrator
 * makes them reload. Files must be replaced by a rename. If the changed files can't be used, the
 * previous ones stay in use. Open connections continue, unless the peer's certificate is in the
 * list of revoked ones, which {@link KafkaSecurity#REVOCATIONS} names ({@link RevocableSslEngine}).
 */
public final class ReloadingSslEngines implements SslEngineFactory {

  private static final Logger LOG = LoggerFactory.getLogger(ReloadingSslEngines.class);

  private record Loaded(List<FileStamp> stamps, DefaultSslEngineFactory engines) {}

  private Map<String, ?> configs = Map.of();
  private List<Path> files = List.of();
  private Supplier<Revocations> revocations = () -> Revocations.NONE;
  private @Nullable Loaded loaded;

  /** A change of the files that failed is not tried and logged again for each connection. */
  private List<FileStamp> unusable = List.of();

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
      revocations = revocations(given);
      loaded = load(stamps());
    } catch (IOException e) {
      throw new UncheckedIOException("a file of the certificates can't be read: " + e, e);
    }
  }

  private static Supplier<Revocations> revocations(Map<String, ?> given) throws IOException {
    return given.get(KafkaSecurity.REVOCATIONS) instanceof String list
            && given.get(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG) instanceof String authorities
        ? new RevocationFile(Path.of(list), Path.of(authorities), Ticker.SYSTEM)
        : () -> Revocations.NONE;
  }

  private List<FileStamp> stamps() throws IOException {
    List<FileStamp> stamps = new ArrayList<>();
    for (Path file : files) {
      stamps.add(FileStamp.of(file));
    }
    return List.copyOf(stamps);
  }

  private Loaded load(List<FileStamp> stamps) {
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
      List<FileStamp> now = stamps();
      if (!now.equals(current.stamps()) && !now.equals(unusable)) {
        current = reload(current, now);
      }
    } catch (IOException e) {
      LOG.warn("the certificates of connections to Kafka can't be read; the previous ones stay", e);
    }
    return current.engines();
  }

  private Loaded reload(Loaded previous, List<FileStamp> now) {
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
    return revocable(engines().createClientSslEngine(peerHost, peerPort, endpointIdentification));
  }

  @Override
  public SSLEngine createServerSslEngine(String peerHost, int peerPort) {
    return revocable(engines().createServerSslEngine(peerHost, peerPort));
  }

  private SSLEngine revocable(SSLEngine engine) {
    return configs.containsKey(KafkaSecurity.REVOCATIONS)
        ? new RevocableSslEngine(engine, revocations)
        : engine;
  }

  /** All settings except the content of the files change only with a restart. */
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
