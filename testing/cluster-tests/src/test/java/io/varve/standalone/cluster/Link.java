package io.varve.standalone.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP proxy to another port of this machine. While it is cut, it forwards no data in either
 * direction; connections stay open and new ones are accepted, as in a network that drops packets.
 * When it is restored, it delivers the delayed data.
 */
final class Link implements AutoCloseable {

  private static final int BUFFER_BYTES = 64 << 10;

  private final ServerSocket server;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition mended = lock.newCondition();
  private boolean cut;

  private Link(ServerSocket server, int target) {
    this.server = server;
    this.target = target;
  }

  static Link open(int port, int target) throws IOException {
    Link link = new Link(new ServerSocket(port, 512, InetAddress.getLoopbackAddress()), target);
    Thread.ofVirtual().name("link-" + port).start(link::accept);
    return link;
  }

  int port() {
    return server.getLocalPort();
  }

  void cut(boolean now) {
    lock.lock();
    try {
      cut = now;
      mended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket caller = server.accept();
        open.add(caller);
        Thread.ofVirtual().start(() -> join(caller));
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new IllegalStateException("link into port " + target + " failed", e);
        }
      }
    }
  }

  private void join(Socket caller) {
    try (caller;
        Socket called = connect()) {
      open.add(called);
      Thread back = Thread.ofVirtual().start(() -> pass(called, caller));
      pass(caller, called);
      back.join();
      open.remove(called);
    } catch (IOException e) {
      // The process is down, so close the connection of its caller.
      open.remove(caller);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(caller);
    }
  }

  private Socket connect() throws IOException {
    awaitMended();
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), target);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** Forwards until one side ends, then ends the other. */
  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        awaitMended();
        to.getOutputStream().write(buffer, 0, n);
      }
      awaitMended();
      to.shutdownOutput();
    } catch (IOException e) {
      closeBoth(from, to);
    }
  }

  private static void closeBoth(Socket one, Socket other) {
    try (one) {
      other.close();
    } catch (IOException e) {
      throw new IllegalStateException("a socket could not be closed", e);
    }
  }

  private void awaitMended() {
    lock.lock();
    try {
      while (cut) {
        mended.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut(false);
    for (Socket socket : open) {
      socket.close();
    }
  }
}
