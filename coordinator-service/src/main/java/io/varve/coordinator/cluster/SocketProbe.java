package io.varve.coordinator.cluster;

import io.varve.control.AddressProbe;
import io.varve.process.Sleeper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and closes a TCP connection. An address is refused if each address of its host refuses.
 *
 * <p>A refusal is an answer of the host's kernel, so it arrives at once. {@link ConnectException}
 * also stands for a timeout of the kernel, which is far longer than that of the probe.
 */
final class SocketProbe implements AddressProbe {

  private static final Logger LOG = LoggerFactory.getLogger(SocketProbe.class);

  private final int timeoutMillis;
  private final Executor blocking;
  private final Sleeper sleeper;

  SocketProbe(int timeoutMillis, Executor blocking, Sleeper sleeper) {
    this.timeoutMillis = timeoutMillis;
    this.blocking = blocking;
    this.sleeper = sleeper;
  }

  @Override
  public void connect(String url, long delayMillis, Consumer<Outcome> result) {
    blocking.execute(() -> {
      if (delayMillis > 0) {
        sleeper.sleep(TimeUnit.MILLISECONDS.toNanos(delayMillis));
      }
      result.accept(connect(url));
    });
  }

  private Outcome connect(String url) {
    List<Outcome> outcomes = new ArrayList<>();
    try {
      URI address = URI.create(url);
      for (InetAddress host : InetAddress.getAllByName(address.getHost())) {
        outcomes.add(connect(new InetSocketAddress(host, address.getPort())));
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("{} can't be probed", url, e);
    }
    if (outcomes.contains(Outcome.ACCEPTED)) {
      return Outcome.ACCEPTED;
    }
    return outcomes.isEmpty() || outcomes.contains(Outcome.UNKNOWN)
        ? Outcome.UNKNOWN
        : Outcome.REFUSED;
  }

  private Outcome connect(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, timeoutMillis);
      return Outcome.ACCEPTED;
    } catch (ConnectException e) {
      LOG.debug("{} refuses connections", address, e);
      return Outcome.REFUSED;
    } catch (IOException e) {
      LOG.debug("no connection to {}", address, e);
      return Outcome.UNKNOWN;
    }
  }
}
