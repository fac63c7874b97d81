package io.varve.standalone.link;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection across a link: a socket of the caller, one of the process behind the link, and two
 * threads for each direction. One thread reads the bytes and computes their time of arrival; the
 * other writes them at that time. At most {@value #WINDOW_BYTES} bytes of a direction are in
 * flight.
 */
final class LinkedConnection {

  private static final int BUFFER_BYTES = 64 << 10;
  private static final int WINDOW_BYTES = 8 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(LinkedConnection.class);

  /** The conditions of one direction, and the receiver of the numbers of bytes delivered. */
  record Way(LossyStream stream, LongConsumer delivered) {}

  @SuppressWarnings("ArrayRecordComponent")
  private record Arriving(byte[] bytes, long atNanos) {}

  private final Socket caller;
  private final Socket called;
  private final LinkClock clock;
  private final Cut cut;
  private final Runnable onBreak;
  private volatile List<Thread> threads = List.of();

  LinkedConnection(Socket caller, Socket called, LinkClock clock, Cut cut, Runnable onBreak) {
    this.caller = caller;
    this.called = called;
    this.clock = clock;
    this.cut = cut;
    this.onBreak = onBreak;
  }

  /** Forwards in both directions until both have ended. */
  void forward(Way toCalled, Way toCaller) throws InterruptedException {
    threads =
        Stream.concat(
                new Direction(caller, called, toCalled).threads(),
                new Direction(called, caller, toCaller).threads())
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Ends the connection immediately. */
  void abort() {
    for (Socket socket : List.of(caller, called)) {
      try {
        socket.close();
      } catch (IOException e) {
        LOG.warn("a socket could not be closed", e);
      }
    }
    threads.forEach(Thread::interrupt);
  }

  /** Resets both sockets, as TCP does after its last timeout. */
  private void breakOff() throws IOException {
    onBreak.run();
    caller.setSoLinger(true, 0);
    called.setSoLinger(true, 0);
    abort();
  }

  private final class Direction {

    private final Socket from;
    private final Socket to;
    private final Way way;
    private final BlockingQueue<Arriving> onTheirWay = new LinkedBlockingQueue<>();
    private final Semaphore window = new Semaphore(WINDOW_BYTES);

    Direction(Socket from, Socket to, Way way) {
      this.from = from;
      this.to = to;
      this.way = way;
    }

    Stream<Thread> threads() {
      return Stream.of(
          Thread.ofVirtual().name("link-read").unstarted(() -> orAbort(this::read)),
          Thread.ofVirtual().name("link-write").unstarted(() -> orAbort(this::write)));
    }

    private void read() throws IOException, InterruptedException {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        if (!send(Arrays.copyOf(buffer, n))) {
          return;
        }
      }
      send(new byte[0]);
    }

    /** Returns false if the connection has broken. An empty array means the end of the stream. */
    private boolean send(byte[] bytes) throws IOException, InterruptedException {
      window.acquire(bytes.length);
      OptionalLong arrivalNanos = way.stream().send(clock.nanos(), bytes.length);
      if (arrivalNanos.isEmpty()) {
        breakOff();
        return false;
      }
      onTheirWay.add(new Arriving(bytes, arrivalNanos.getAsLong()));
      return true;
    }

    private void write() throws IOException, InterruptedException {
      while (true) {
        Arriving next = onTheirWay.take();
        clock.awaitNanos(next.atNanos());
        cut.awaitMended();
        if (next.bytes().length == 0) {
          to.shutdownOutput();
          return;
        }
        to.getOutputStream().write(next.bytes());
        way.delivered().accept(next.bytes().length);
        window.release(next.bytes().length);
      }
    }
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private void orAbort(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      LOG.debug("one end of a connection is closed; closing the other end", e);
      abort();
    } catch (InterruptedException e) {
      LOG.debug("a connection was ended", e);
    }
  }
}
