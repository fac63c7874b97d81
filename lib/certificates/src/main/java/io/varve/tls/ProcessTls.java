package io.varve.tls;

import io.varve.process.RevocationTrust;
import io.varve.process.Revocations;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context with which a process calls the other processes of its cluster. It presents the
 * certificate of this process, and accepts servers with a certificate that a trusted authority
 * signed, for the host that is called and for a process of this cluster.
 *
 * <p>Key and authorities can be replaced at any time. Each change of these, and of the revocations,
 * begins a generation with its own context. A resumed session does not check the certificate again,
 * and presents the one with which it was opened. No session of an earlier generation may therefore
 * be resumed, even if it arrives after the change. Clients keep one context, which delegates to
 * that of the present generation, but reopen their connections when {@link #generation} changes.
 * After that, no request uses a replaced certificate of this process, or reaches a process with a
 * revoked one.
 */
public final class ProcessTls {

  private record Generation(
      long number,
      X509ExtendedKeyManager keys,
      X509ExtendedTrustManager trust,
      Revocations revocations,
      SSLContext context) {}

  private final String cluster;
  private final Supplier<Revocations> revocations;
  private final SSLContext context;
  private volatile Generation current;

  /**
   * @param keys the key manager, with a key and its certificate
   * @param trust the trust manager, with the authorities
   * @param revocations the revoked certificates of other processes
   */
  public ProcessTls(
      String cluster, KeyManager[] keys, TrustManager[] trust, Supplier<Revocations> revocations) {
    this.cluster = cluster;
    this.revocations = revocations;
    this.current =
        generation(
            0,
            first(X509ExtendedKeyManager.class, keys),
            first(X509ExtendedTrustManager.class, trust),
            revocations.get());
    SSLContext first = current.context();
    this.context = new Present(new PresentSpi(), first.getProvider(), first.getProtocol());
  }

  private static <T> T first(Class<T> type, Object[] managers) {
    return Arrays.stream(managers)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no " + type.getSimpleName()));
  }

  private Generation generation(
      long number, X509ExtendedKeyManager keys, X509ExtendedTrustManager trust, Revocations known) {
    try {
      SSLContext own = SSLContext.getInstance("TLS");
      TrustManager[] checked = RevocationTrust.around(new TrustManager[] {trust}, revocations);
      own.init(
          new KeyManager[] {keys},
          new TrustManager[] {
            new ClusterTrust(cluster, first(X509ExtendedTrustManager.class, checked))
          },
          null);
      return new Generation(number, keys, trust, known, own);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public SSLContext context() {
    return context;
  }

  /** Replaces the key and the authorities for later handshakes. */
  public synchronized void replace(KeyManager[] keys, TrustManager[] trust) {
    current =
        generation(
            current.number() + 1,
            first(X509ExtendedKeyManager.class, keys),
            first(X509ExtendedTrustManager.class, trust),
            current.revocations());
  }

  /** Increases when connections must be reopened: with each change of keys and of revocations. */
  public long generation() {
    Revocations known = revocations.get();
    Generation now = current;
    return (known.equals(now.revocations()) ? now : after(known)).number();
  }

  private synchronized Generation after(Revocations known) {
    Generation now = current;
    if (!known.equals(now.revocations())) {
      current = generation(now.number() + 1, now.keys(), now.trust(), known);
    }
    return current;
  }

  private static final class Present extends SSLContext {
    Present(SSLContextSpi spi, Provider provider, String protocol) {
      super(spi, provider, protocol);
    }
  }

  /** Delegates to the context of the present generation; only for clients. */
  private final class PresentSpi extends SSLContextSpi {

    @Override
    protected void engineInit(
        KeyManager @Nullable [] keys,
        TrustManager @Nullable [] trust,
        @Nullable SecureRandom random) {
      throw new UnsupportedOperationException("this context is initialized");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return current.context().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      throw new UnsupportedOperationException("this context is for clients");
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return current.context().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return current.context().createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return current.context().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return current.context().getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return current.context().getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return current.context().getSupportedSSLParameters();
    }
  }
}
