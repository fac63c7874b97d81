package io.varve.http.security;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.ProcessCredentials;
import io.varve.process.RevocationFile;
import io.varve.process.Ticker;
import io.varve.tls.CertificateFolder;
import io.varve.tls.ProcessIdentity;
import io.varve.tls.ProcessTls;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.ssl.PemSslBundleProperties;
import org.springframework.boot.autoconfigure.ssl.PropertiesSslBundle;
import org.springframework.boot.autoconfigure.ssl.SslProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;

/** TLS of a service: its certificates as a server and as a client, and their changes. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(TlsDefaults.FOLDER)
class TlsConfiguration {

  /** A certificate identifies one node in one cluster, so a new node takes its id from it. */
  @Bean
  ProcessIdentity processIdentity(
      SslBundles bundles,
      SecurityProperties properties,
      RevocationFile revocations,
      @Value("${varve.cluster-name:varve}") String cluster,
      @Value("${varve.data:data}") Path data)
      throws IOException {
    Path folder = Objects.requireNonNull(properties.tls().folder());
    properties.requirePrivate(folder.resolve(CertificateFolder.NODE_FILE));
    X509Certificate certificate = certificate(bundles.getBundle(TlsDefaults.BUNDLE));
    if (revocations.get().revokes(certificate)) {
      throw new IllegalStateException(
          "the certificate of this process was revoked; copy a new one that `varve security rotate`"
              + " makes");
    }
    ProcessIdentity identity =
        ProcessIdentity.of(certificate)
            .orElseThrow(() -> new IllegalStateException("the certificate identifies no process"));
    if (!identity.cluster().equals(cluster)) {
      throw new IllegalStateException(
          "the certificate is for a process of the cluster ["
              + identity.cluster()
              + "], but [varve.cluster-name] is ["
              + cluster
              + "]");
    }
    NodeIdentity.requireId(data, identity.nodeId());
    return identity;
  }

  static X509Certificate certificate(SslBundle bundle) {
    try {
      KeyStore keys = bundle.getStores().getKeyStore();
      if (keys != null) {
        for (String alias : Collections.list(keys.aliases())) {
          if (keys.getCertificate(alias) instanceof X509Certificate certificate) {
            return certificate;
          }
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificate can't be read", e);
    }
    throw new IllegalStateException("there is no certificate");
  }

  /** The list is in the folder of the authorities, and is replaced in the same way. */
  @Bean
  RevocationFile revocations(SecurityProperties properties) throws IOException {
    Path folder = Objects.requireNonNull(properties.tls().folder());
    return new RevocationFile(
        folder.resolve(CertificateFolder.REVOCATIONS_FILE),
        folder.resolve(CertificateFolder.TRUST_FILE),
        Ticker.SYSTEM);
  }

  /**
   * Boot's own watch of the files is not used, because it waits until the files have not changed
   * for some time.
   */
  @Bean
  CertificateFiles certificateFiles(
      SslBundles bundles,
      SslBundleRegistry registry,
      SslProperties ssl,
      ResourceLoader resources,
      SecurityProperties properties,
      RevocationFile revocations)
      throws IOException {
    // Boot warns of an update without a handler, and the first update precedes all handlers.
    bundles.addBundleUpdateHandler(TlsDefaults.BUNDLE, _ -> {});
    PemSslBundleProperties files = ssl.getBundle().getPem().get(TlsDefaults.BUNDLE);
    return new CertificateFiles(
            Objects.requireNonNull(properties.tls().folder()),
            revocations,
            () -> PropertiesSslBundle.get(files, resources),
            changed -> registry.updateBundle(TlsDefaults.BUNDLE, changed))
        .watched();
  }

  @Bean
  MeterBinder certificateMeters(RevocationFile revocations) {
    return meters -> CertificateMeters.register(revocations, meters);
  }

  /** Reported as {@code certificates} by {@code /_actuator/health}. */
  @Bean
  HealthIndicator certificates(
      SslBundles bundles, CertificateFiles files, RevocationFile revocations) {
    return new CertificateHealth(
        () -> {
          files.look();
          return certificate(bundles.getBundle(TlsDefaults.BUNDLE));
        },
        revocations,
        InstantSource.system());
  }

  @Bean
  InternalConnector internalConnector(
      SslBundles bundles,
      SecurityProperties properties,
      CertificateFiles files,
      RevocationFile revocations,
      ObjectProvider<PeerRefusals> refusals) {
    InternalConnector connector =
        new InternalConnector(
            bundles.getBundle(TlsDefaults.BUNDLE),
            properties.tls().internalPort(),
            new InternalConnector.Changes(files::look, revocations),
            InstantSource.system(),
            // The server is created before the beans that record refusals.
            refusal -> refusals.ifAvailable(recorder -> recorder.refused(refusal)));
    bundles.addBundleUpdateHandler(TlsDefaults.BUNDLE, connector::reload);
    return connector;
  }

  @Bean
  Peers peersWithCertificate(ProcessIdentity identity, ObjectProvider<PeerRefusals> refusals) {
    return new Peers.Reporting(
        new Peers.WithCertificate(identity.cluster()),
        refusals.getIfAvailable(() -> PeerRefusals.UNRECORDED));
  }

  @Bean
  ProcessCredentials processCertificate(
      SslBundles bundles,
      ProcessIdentity identity,
      CertificateFiles files,
      RevocationFile revocations) {
    SslBundle bundle = bundles.getBundle(TlsDefaults.BUNDLE);
    ProcessTls tls =
        new ProcessTls(
            identity.cluster(),
            bundle.getManagers().getKeyManagers(),
            bundle.getManagers().getTrustManagers(),
            revocations);
    bundles.addBundleUpdateHandler(
        TlsDefaults.BUNDLE,
        changed ->
            tls.replace(
                changed.getManagers().getKeyManagers(), changed.getManagers().getTrustManagers()));
    return new ProcessCredentials.Certificate(
        tls.context(),
        () -> {
          files.look();
          return tls.generation();
        });
  }
}
