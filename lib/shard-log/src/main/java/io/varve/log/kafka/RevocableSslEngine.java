package io.varve.log.kafka;

import io.varve.process.RevocationTrust;
import io.varve.process.Revocations;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An engine that ends its connection when the peer's certificate is revoked: in the handshake,
 * which is also checked if it resumes a session, or with the next bytes in any direction. Kafka
 * closes a connection whose engine fails.
 */
final class RevocableSslEngine extends SSLEngine {

  /** The protocol of an engine without a handshake so far. */
  private static final String BEFORE = "NONE";

  private final SSLEngine engine;
  private final Supplier<Revocations> revocations;

  /**
   * The revocations with which the certificate of the finished handshake was compared; null: none
   * so far.
   */
  private volatile @Nullable Revocations compared;

  private volatile boolean closing;

  RevocableSslEngine(SSLEngine engine, Supplier<Revocations> revocations) {
    super(engine.getPeerHost(), engine.getPeerPort());
    this.engine = engine;
    this.revocations = revocations;
  }

  private void requireValid() throws SSLException {
    Revocations now = revocations.get();
    if (now.equals(compared) || closing) {
      return;
    }
    SSLSession handshake = engine.getHandshakeSession();
    SSLSession session = engine.getSession();
    require(handshake == null ? session : handshake, now);
    if (handshake == null && !session.getProtocol().equals(BEFORE)) {
      compared = now;
    }
  }

  private static void require(SSLSession session, Revocations revocations) throws SSLException {
    try {
      RevocationTrust.require(
          Arrays.stream(session.getPeerCertificates())
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new),
          revocations);
    } catch (SSLPeerUnverifiedException _) {
      // The peer has presented no certificate, or not yet.
    } catch (RevocationTrust.RevokedException e) {
      throw new SSLHandshakeException(e.getMessage(), e);
    }
  }

  @Override
  public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target)
      throws SSLException {
    requireValid();
    return engine.wrap(sources, offset, length, target);
  }

  @Override
  public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length)
      throws SSLException {
    SSLEngineResult result = engine.unwrap(source, targets, offset, length);
    requireValid();
    return result;
  }

  @Override
  public void closeOutbound() {
    closing = true;
    engine.closeOutbound();
  }

  @Override
  public @Nullable Runnable getDelegatedTask() {
    return engine.getDelegatedTask();
  }

  @Override
  public void closeInbound() throws SSLException {
    engine.closeInbound();
  }

  @Override
  public boolean isInboundDone() {
    return engine.isInboundDone();
  }

  @Override
  public boolean isOutboundDone() {
    return engine.isOutboundDone();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return engine.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return engine.getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    engine.setEnabledCipherSuites(suites);
  }

  @Override
  public String[] getSupportedProtocols() {
    return engine.getSupportedProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return engine.getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    engine.setEnabledProtocols(protocols);
  }

  @Override
  public SSLSession getSession() {
    return engine.getSession();
  }

  @Override
  public @Nullable SSLSession getHandshakeSession() {
    return engine.getHandshakeSession();
  }

  @Override
  public void beginHandshake() throws SSLException {
    engine.beginHandshake();
  }

  @Override
  public HandshakeStatus getHandshakeStatus() {
    return engine.getHandshakeStatus();
  }

  @Override
  public void setUseClientMode(boolean mode) {
    engine.setUseClientMode(mode);
  }

  @Override
  public boolean getUseClientMode() {
    return engine.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    engine.setNeedClientAuth(need);
  }

  @Override
  public boolean getNeedClientAuth() {
    return engine.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    engine.setWantClientAuth(want);
  }

  @Override
  public boolean getWantClientAuth() {
    return engine.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean flag) {
    engine.setEnableSessionCreation(flag);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return engine.getEnableSessionCreation();
  }

  @Override
  public SSLParameters getSSLParameters() {
    return engine.getSSLParameters();
  }

  @Override
  public void setSSLParameters(SSLParameters parameters) {
    engine.setSSLParameters(parameters);
  }

  @Override
  public String getApplicationProtocol() {
    return engine.getApplicationProtocol();
  }

  @Override
  public String getHandshakeApplicationProtocol() {
    return engine.getHandshakeApplicationProtocol();
  }

  @Override
  public void setHandshakeApplicationProtocolSelector(
      BiFunction<SSLEngine, List<String>, String> selector) {
    engine.setHandshakeApplicationProtocolSelector(selector);
  }

  @Override
  public BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
    return engine.getHandshakeApplicationProtocolSelector();
  }
}
