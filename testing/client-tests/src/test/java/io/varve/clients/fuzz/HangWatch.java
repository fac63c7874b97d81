package io.varve.clients.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.standalone.RestAccess;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Detects requests that hang by comparing them with other requests instead of a clock, because on a
 * slow machine every response is late although no request hangs.
 *
 * <p>A control request, which writes one document, is sent repeatedly, at most once per pause. A
 * request hangs if {@code controls} control requests that were sent after it have been answered and
 * it has not: no request of the fuzzer asks to wait longer than {@link
 * RequestFuzzer#LONGEST_WAIT_SECONDS}. Its connection is then closed. If a control request gets no
 * response within {@link #CONTROL_TIMEOUT_MILLIS}, all connections are closed.
 */
final class HangWatch implements AutoCloseable {

  /** With the pause, longer than the wait of a request: {@code _refresh} waits for 60 s. */
  private static final int CONTROLS = 120;

  private static final int CONTROL_TIMEOUT_MILLIS = 180_000;
  private static final long PAUSE_MILLIS = 1_000;
  private static final FuzzRequest CONTROL =
      new FuzzRequest(
          "PUT",
          "/control/_doc/1?timeout=1s",
          Map.of("Content-Type", "application/json"),
          "{}".getBytes(UTF_8));

  /** Thrown when a request is abandoned because it hangs. */
  static final class HangException extends IOException {
    private static final long serialVersionUID = 1;

    HangException(String message) {
      super(message);
    }
  }

  /**
   * A request without a response yet, and the number of control requests that were sent later but
   * answered earlier.
   */
  private record InFlight(RawConnection connection, AtomicInteger outrun) {}

  private final Map<InFlight, Boolean> inFlight = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final RawConnection control;
  private final int controls;
  private volatile @Nullable String silent;

  HangWatch(String url, RestAccess access) {
    this(url, access, CONTROLS, PAUSE_MILLIS);
  }

  HangWatch(String url, RestAccess access, int controls, long pauseMillis) {
    this.controls = controls;
    control = new RawConnection(url, access, CONTROL_TIMEOUT_MILLIS);
    var _ =
        timer.scheduleWithFixedDelay(
            this::control, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Sends a request.
   *
   * @throws HangException if there was no response although later requests were answered
   */
  RawConnection.Reply send(RawConnection connection, FuzzRequest request) throws IOException {
    InFlight sent = new InFlight(connection, new AtomicInteger());
    inFlight.put(sent, true);
    try {
      return connection.send(request);
    } catch (IOException e) {
      String why = silent;
      if (why != null) {
        throw new HangException(why);
      }
      if (sent.outrun().get() >= controls) {
        throw new HangException("no answer while " + controls + " control requests were answered");
      }
      throw e;
    } finally {
      inFlight.remove(sent);
    }
  }

  private void control() {
    List<InFlight> before = List.copyOf(inFlight.keySet());
    try {
      sendControl();
    } catch (IOException e) {
      silent = "the control request got no answer: " + e;
      inFlight.keySet().forEach(sent -> sent.connection().abort());
      return;
    }
    for (InFlight sent : before) {
      if (sent.outrun().incrementAndGet() >= controls && inFlight.containsKey(sent)) {
        sent.connection().abort();
      }
    }
  }

  /** Retries over a new connection if the server has closed the old one. */
  private void sendControl() throws IOException {
    try {
      control.send(CONTROL);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      control.send(CONTROL);
    }
  }

  @Override
  public void close() throws IOException {
    timer.shutdownNow();
    control.abort();
  }
}
