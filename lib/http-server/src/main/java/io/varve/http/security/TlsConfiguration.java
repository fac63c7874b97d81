package io.varve.http.security;

import io.varve.cluster.NodeIdentity;
import io.varve.cluster.ProcessCredentials;
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
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** TLS of a service: its certificates as a server and as a client, and their changes. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(TlsDefaults.FOLDER)
class TlsConfiguration {

  /** A certificate is that of one node in one cluster, so it also gives a new node its id. */
  @Bean
  ProcessIdentity processIdentity(
      SslBundles bundles,
      SecurityProperties properties,
      @Value("${varve.cluster-name:varve}") String cluster,
      @Value("${varve.data:data}") Path data)
      throws IOException {
    Path folder = Objects.requireNonNull(properties.tls().folder());
    properties.requirePrivate(folder.resolve(CertificateFolder.NODE_FILE));
    ProcessIdentity identity = identity(bundles.getBundle(TlsDefaults.BUNDLE));
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

  private static ProcessIdentity identity(SslBundle bundle) {
    try {
      KeyStore keys = bundle.getStores().getKeyStore();
      if (keys != null) {
        for (String alias : Collections.list(keys.aliases())) {
          if (keys.getCertificate(alias) instanceof X509Certificate certificate) {
            return ProcessIdentity.of(certificate)
                .orElseThrow(
                    () -> new IllegalStateException("the certificate identifies no process"));
          }
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificate can't be read", e);
    }
    throw new IllegalStateException("there is no certificate");
  }

  @Bean
  InternalConnector internalConnector(
      SslBundles bundles, SecurityProperties properties, ObjectProvider<PeerRefusals> refusals) {
    InternalConnector connector =
        new InternalConnector(
            bundles.getBundle(TlsDefaults.BUNDLE),
            properties.tls().internalPort(),
            InstantSource.system(),
            // The server is made before the beans that record refusals.
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
  ProcessCredentials processCertificate(SslBundles bundles, ProcessIdentity identity) {
    SslBundle bundle = bundles.getBundle(TlsDefaults.BUNDLE);
    ProcessTls tls =
        new ProcessTls(
            identity.cluster(),
            bundle.getManagers().getKeyManagers(),
            bundle.getManagers().getTrustManagers());
    bundles.addBundleUpdateHandler(
        TlsDefaults.BUNDLE,
        changed ->
            tls.replace(
                changed.getManagers().getKeyManagers(), changed.getManagers().getTrustManagers()));
    return new ProcessCredentials.Certificate(tls.context());
  }
}
