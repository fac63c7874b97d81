package io.varve.tls;

import io.varve.process.RevocationTrust;
import io.varve.process.Revocations;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context with which a process calls the other processes of its cluster. It presents the
 * certificate of this process, and accepts servers with a certificate that a trusted authority
 * signed, for the host that is called and for a process of this cluster.
 *
 * <p>Key and authorities can be replaced at any time: handshakes that began with the previous key
 * end with it, because an alias names the generation of its key. Clients keep the same context, but
 * make their connections again when {@link #generation} changes: after that, no request uses a
 * certificate of this process that was replaced, nor reaches one that was revoked.
 */
public final class ProcessTls {

  /** The key and the authorities between two changes. */
  private record Generation(
      long number, X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {}

  private final String cluster;
  private final Supplier<Revocations> revocations;
  private final SSLContext context;
  private volatile Generation current;
  private volatile Generation previous;

  /** The revocations at the last question for the generation, and how often they have changed. */
  private record Seen(Revocations revocations, long changes) {}

  private volatile Seen seen;

  /**
   * @param keys with a key and its certificate
   * @param trust with the authorities
   * @param revocations of other processes
   */
  public ProcessTls(
      String cluster, KeyManager[] keys, TrustManager[] trust, Supplier<Revocations> revocations) {
    this.cluster = cluster;
    this.revocations = revocations;
    this.seen = new Seen(revocations.get(), 0);
    this.current = generation(0, keys, trust);
    this.previous = current;
    try {
      this.context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new Keys()}, new TrustManager[] {new Trust()}, null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Generation generation(long number, KeyManager[] keys, TrustManager[] trust) {
    return new Generation(
        number,
        first(X509ExtendedKeyManager.class, keys),
        first(X509ExtendedTrustManager.class, RevocationTrust.around(trust, revocations)));
  }

  private static <T> T first(Class<T> type, Object[] managers) {
    return Arrays.stream(managers)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no " + type.getSimpleName()));
  }

  public SSLContext context() {
    return context;
  }

  /** Later handshakes use these. */
  public synchronized void replace(KeyManager[] keys, TrustManager[] trust) {
    Generation next = generation(current.number() + 1, keys, trust);
    previous = current;
    current = next;
    forgetSessions();
  }

  /** Grows when connections must be made again: with each change of keys and of revocations. */
  public long generation() {
    Revocations now = revocations.get();
    Seen before = seen;
    return current.number() + (now.equals(before.revocations()) ? before : changed(now)).changes();
  }

  private synchronized Seen changed(Revocations now) {
    if (!now.equals(seen.revocations())) {
      forgetSessions();
      seen = new Seen(now, seen.changes() + 1);
    }
    return seen;
  }

  /** A resumed session checks no certificate again, and shows the one that it was made with. */
  private void forgetSessions() {
    SSLSessionContext sessions = context.getClientSessionContext();
    for (byte[] id : Collections.list(sessions.getIds())) {
      SSLSession session = sessions.getSession(id);
      if (session != null) {
        session.invalidate();
      }
    }
  }

  /** Only for clients: servers have contexts of their own. */
  private final class Keys extends X509ExtendedKeyManager {

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      Generation now = current;
      return alias(now, now.keys().chooseClientAlias(types, issuers, socket));
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      Generation now = current;
      return alias(now, now.keys().chooseEngineClientAlias(types, issuers, engine));
    }

    private static @Nullable String alias(Generation generation, @Nullable String alias) {
      return alias == null ? null : generation.number() + ":" + alias;
    }

    private Generation of(String alias) {
      Generation now = current;
      return alias.startsWith(now.number() + ":") ? now : previous;
    }

    private static String name(String alias) {
      return alias.substring(alias.indexOf(':') + 1);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return of(alias).keys().getCertificateChain(name(alias));
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return of(alias).keys().getPrivateKey(name(alias));
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      Generation now = current;
      String[] aliases = now.keys().getClientAliases(type, issuers);
      return aliases == null
          ? null
          : Arrays.stream(aliases).map(alias -> alias(now, alias)).toArray(String[]::new);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }

  private final class Trust extends X509ExtendedTrustManager {

    private void requireCluster(X509Certificate[] chain) throws CertificateException {
      ProcessIdentity identity =
          ProcessIdentity.of(chain[0])
              .orElseThrow(() -> new CertificateException("the certificate names no process"));
      if (!identity.cluster().equals(cluster)) {
        throw new CertificateException(
            "the certificate is of a process of the cluster [" + identity.cluster() + "]");
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      current.trust().checkServerTrusted(chain, type, engine);
      requireCluster(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      current.trust().checkServerTrusted(chain, type, socket);
      requireCluster(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      current.trust().checkServerTrusted(chain, type);
      requireCluster(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      throw new CertificateException("this context is for clients");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      throw new CertificateException("this context is for clients");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("this context is for clients");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return current.trust().getAcceptedIssuers();
    }
  }
}
