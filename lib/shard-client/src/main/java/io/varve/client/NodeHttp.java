package io.varve.client;

import io.varve.cluster.ClusterSecret;
import io.varve.cluster.ProcessCredentials;
import io.varve.cluster.local.LocalNodes;
import io.varve.process.SteadyTimer;
import io.varve.process.Ticker;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.SearchCallHeaders;
import io.varve.rpc.UnreadRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.IdleConnectionEvictor;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * HTTP client for the nodes of the cluster. A call blocks its thread, mostly a virtual one, and
 * uses no other thread: a selector and its workers cost more than a small search. A node of the
 * same process is called without HTTP, see {@link LocalCalls}.
 *
 * <p>INVARIANT: a call on a connection ends by its timeout, even if the node is stopped while it
 * reads the request; connecting takes at most its own timeout for each address of the node's name.
 * An interrupt of a virtual thread ends a call immediately.
 */
public final class NodeHttp implements AutoCloseable {

  /** Idle time of a connection, well below the idle timeout of the nodes' servers. */
  private static final Duration IDLE = Duration.ofSeconds(20);

  private static final TimeValue LOOKED_AT_EVERY = TimeValue.ofSeconds(5);

  /** Checking a connection costs a millisecond; a recently used one is not checked. */
  private static final TimeValue LOOKED_AT_AFTER = TimeValue.ofMilliseconds(50);

  private static final String SENT = NodeHttp.class.getName() + ".sent";
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** Smaller answers are read into arrays that are allocated here. */
  static final int LARGE_BYTES = 64 * 1024;

  private static final int PIECE_BYTES = 8 * 1024;
  private static final byte[] NOTHING = {};

  private static final int MOST_BYTES = Integer.MAX_VALUE - 16;

  private final CloseableHttpClient client;
  private final IdleConnectionEvictor evictor;
  private final PoolingHttpClientConnectionManager connections;
  private final SteadyTimer timer;
  private final CallTimeouts timeouts;
  private final LocalCalls localCalls;
  private final Consumer<String> onDisconnect;
  private final LongSupplier generations;
  private final AtomicLong generation;

  /**
   * The node has not read the request: no connection could be made, or the node is stopping, see
   * {@link UnreadRequest}.
   */
  public static final class NotConnectedException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotConnectedException(IOException cause) {
      super(cause.getMessage(), cause);
    }

    private NotConnectedException(ErrorBody error) {
      super(error.reason());
    }
  }

  /** The answer did not arrive in time; the node may still be working on the request. */
  public static final class LateException extends IOException {
    private static final long serialVersionUID = 1L;

    public LateException(Duration timeout, IOException cause) {
      super("no answer within " + timeout.toMillis() + " ms", cause);
    }
  }

  /** The call was ended by its {@link Abort}; the node may still be working on the request. */
  public static final class AbortedException extends IOException {
    private static final long serialVersionUID = 1L;

    public AbortedException(IOException cause) {
      super("the call was cancelled because its caller no longer waits for the answer", cause);
    }
  }

  /**
   * @param load the node's reported load, null for none
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Answer(int status, byte[] body, @Nullable String load) {}

  /** Receives the body of an answer with status 200 as it arrives. */
  @FunctionalInterface
  public interface BodyReader {

    /**
     * Must not block. An exception ends the call.
     *
     * @param length the number of bytes of the piece; what follows them has no meaning
     */
    void arrived(byte[] piece, int length);
  }

  /** Without security. */
  public NodeHttp(Duration connectTimeout) {
    this(connectTimeout, new ProcessCredentials.None(), _ -> {});
  }

  /**
   * @param onDisconnect receives the URL of each request whose connection was refused or broke, on
   *     the thread of the request; must not block
   */
  public NodeHttp(
      Duration connectTimeout, ProcessCredentials credentials, Consumer<String> onDisconnect) {
    this(connectTimeout, IDLE, credentials, onDisconnect);
  }

  /**
   * @param idle the time after which an unused connection is closed
   */
  NodeHttp(
      Duration connectTimeout,
      Duration idle,
      ProcessCredentials credentials,
      Consumer<String> onDisconnect) {
    TimeValue longestIdle = TimeValue.of(idle);
    this.onDisconnect = onDisconnect;
    this.generations = credentials::generation;
    this.generation = new AtomicLong(credentials.generation());
    String secret = credentials.header().map(ClusterSecret::header).orElse(null);
    this.connections = connections(connectTimeout, credentials);
    this.client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setKeepAliveStrategy((_, _) -> longestIdle)
            .setDefaultRequestConfig(
                RequestConfig.custom().setProtocolUpgradeEnabled(false).build())
            .addRequestInterceptorLast((request, _, context) -> {
              context.setAttribute(SENT, true);
              if (secret != null) {
                request.setHeader(ClusterSecret.HEADER, secret);
              }
            })
            .disableAutomaticRetries()
            .disableAuthCaching()
            .disableContentCompression()
            .disableCookieManagement()
            .disableRedirectHandling()
            .build();
    this.evictor =
        new IdleConnectionEvictor(
            connections,
            Thread.ofVirtual().name("node-http-idle").factory(),
            LOOKED_AT_EVERY,
            longestIdle);
    evictor.start();
    this.timer = new SteadyTimer("node-http-timer");
    this.timeouts =
        new CallTimeouts(
            (delayNanos, check) -> {
              var _ = timer.schedule(check, delayNanos, TimeUnit.NANOSECONDS);
            },
            Ticker.SYSTEM::nanos);
    this.localCalls = new LocalCalls(LocalNodes.OF_THIS_PROCESS, credentials.header().orElse(null));
  }

  private static PoolingHttpClientConnectionManager connections(
      Duration connectTimeout, ProcessCredentials credentials) {
    PoolingHttpClientConnectionManagerBuilder connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
            .setMaxConnPerRoute(NO_LIMIT)
            .setMaxConnTotal(NO_LIMIT)
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(Timeout.of(connectTimeout))
                    .setSocketTimeout(Timeout.DISABLED)
                    .setValidateAfterInactivity(LOOKED_AT_AFTER)
                    .build());
    credentials
        .tls()
        .ifPresent(tls ->
            connections
                .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls))
                .setDefaultTlsConfig(
                    TlsConfig.custom().setHandshakeTimeout(Timeout.of(connectTimeout)).build()));
    return connections.build();
  }

  /**
   * Returns the answer, whatever its status.
   *
   * @throws NotConnectedException if the node certainly did not receive the request
   * @throws IOException if it may have received the request
   */
  public Answer send(NodeRequest request) throws IOException, InterruptedException {
    return send(request, new Abort());
  }

  /** Like {@link #send(NodeRequest)}, for a call that another thread may abort. */
  public Answer send(NodeRequest request, Abort abort) throws IOException, InterruptedException {
    return send(request, abort, null);
  }

  /**
   * The same for an answer that arrives in pieces. If its status is 200, the reader receives the
   * body, and the answer has none.
   *
   * @param reader null to collect the body
   */
  Answer send(NodeRequest request, Abort abort, @Nullable BodyReader reader)
      throws IOException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Optional<Answer> local = localCalls.send(request, abort, reader);
    return local.isPresent() ? local.get() : sendOverHttp(request, abort, reader);
  }

  private Answer sendOverHttp(NodeRequest request, Abort abort, @Nullable BodyReader reader)
      throws IOException, InterruptedException {
    HttpUriRequestBase wire = wire(request);
    HttpClientContext context = HttpClientContext.create();
    // The state of the connection: a call does not use a connection of another generation.
    context.setUserToken(renewed());
    abort.endsBy(wire::cancel);
    try (CallTimeouts.Call _ = timed(wire, request.timeout())) {
      return client.execute(
          wire, context, response -> answer(response, request.largeArrays(), reader));
    } catch (NotConnectedException e) {
      onDisconnect.accept(request.url());
      // Other idle connections to this node have probably also been closed.
      connections.closeIdle(TimeValue.ZERO_MILLISECONDS);
      throw e;
    } catch (IOException e) {
      throw failure(request, wire, context, abort.isAborted() ? new AbortedException(e) : e);
    } catch (RuntimeException e) {
      // Detects an abort or close that happened while the connection was made.
      if (!wire.isCancelled() && !(e instanceof IllegalStateException)) {
        throw e;
      }
      IOException cause = new IOException(e);
      throw failure(
          request, wire, context, abort.isAborted() ? new AbortedException(cause) : cause);
    }
  }

  /**
   * The generation of the connections that a call may use. Idle connections of earlier ones are
   * closed when it changes; one that is in use is closed once it has been idle for too long, or
   * when a call finds it.
   */
  private long renewed() {
    long now = generations.getAsLong();
    if (generation.get() < now && generation.getAndAccumulate(now, Math::max) < now) {
      connections.closeIdle(TimeValue.ZERO_MILLISECONDS);
    }
    return now;
  }

  private CallTimeouts.Call timed(HttpUriRequestBase wire, Duration timeout)
      throws NotConnectedException {
    try {
      return timeouts.begin(timeout, wire::cancel);
    } catch (RejectedExecutionException e) {
      throw new NotConnectedException(new IOException("closed", e));
    }
  }

  private IOException failure(
      NodeRequest request, HttpUriRequestBase wire, HttpClientContext context, IOException cause)
      throws InterruptedException {
    // Checks the flag, not the exception: after an interrupt, the exception is that of a closed
    // socket.
    if (Thread.interrupted()) {
      InterruptedException interrupted = new InterruptedException();
      interrupted.initCause(cause);
      throw interrupted;
    }
    boolean sent = context.getAttribute(SENT) != null;
    if (!wire.isCancelled() && (sent || cause instanceof ConnectException)) {
      onDisconnect.accept(request.url());
    }
    if (!sent) {
      return new NotConnectedException(cause);
    }
    return wire.isCancelled() && !(cause instanceof AbortedException)
        ? new LateException(request.timeout(), cause)
        : cause;
  }

  private static HttpUriRequestBase wire(NodeRequest request) {
    HttpUriRequestBase wire = new HttpUriRequestBase(request.method(), URI.create(request.url()));
    request.headers().forEach(header -> wire.addHeader(header.name(), header.value()));
    if (request.body() != null) {
      wire.setEntity(new ByteArrayEntity(request.body(), null));
    }
    return wire;
  }

  private static Answer answer(
      ClassicHttpResponse response, IntFunction<byte[]> largeArrays, @Nullable BodyReader reader)
      throws IOException {
    if (response.getCode() == UnreadRequest.STATUS
        && response.containsHeader(UnreadRequest.HEADER)) {
      throw new NotConnectedException(UnreadRequest.ERROR);
    }
    HttpEntity entity = response.getEntity();
    Header load = response.getFirstHeader(SearchCallHeaders.LOAD);
    return new Answer(
        response.getCode(),
        entity == null ? NOTHING : body(response.getCode(), entity, largeArrays, reader),
        load == null ? null : load.getValue());
  }

  private static byte[] body(
      int status, HttpEntity entity, IntFunction<byte[]> largeArrays, @Nullable BodyReader reader)
      throws IOException {
    if (reader == null || status != HttpStatus.SC_OK) {
      return body(entity, largeArrays);
    }
    try (InputStream content = entity.getContent()) {
      byte[] piece = new byte[PIECE_BYTES];
      for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
        reader.arrived(piece, read);
      }
    }
    return NOTHING;
  }

  private static byte[] body(HttpEntity entity, IntFunction<byte[]> largeArrays)
      throws IOException {
    long length = entity.getContentLength();
    try (InputStream content = entity.getContent()) {
      if (length < 0) {
        return content.readAllBytes();
      }
      if (length > MOST_BYTES) {
        throw new IOException("an answer of " + length + " bytes");
      }
      byte[] body = length < LARGE_BYTES ? new byte[(int) length] : largeArrays.apply((int) length);
      int read = content.readNBytes(body, 0, body.length);
      if (read < body.length) {
        throw new EOFException("an answer of " + length + " bytes ended after " + read);
      }
      return body;
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    evictor.shutdown();
    try {
      client.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
