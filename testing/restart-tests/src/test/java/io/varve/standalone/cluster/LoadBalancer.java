package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.standalone.RestAccess;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Sends requests to one of two coordinators; {@link #use} selects it. */
final class LoadBalancer implements AutoCloseable {

  private final RestCalls first;
  private final RestCalls second;
  private final ReadWriteLock requests = new ReentrantReadWriteLock(true);
  private RestCalls used;

  LoadBalancer(String firstUrl, String secondUrl, Duration timeout) {
    this(firstUrl, secondUrl, timeout, RestAccess.PLAIN);
  }

  /** The same for a cluster that is called in this way. */
  LoadBalancer(String firstUrl, String secondUrl, Duration timeout, RestAccess access) {
    this.first = new RestCalls(firstUrl, timeout, access);
    this.second = new RestCalls(secondUrl, timeout, access);
    this.used = first;
  }

  /** Returns when no request is left at the coordinator that is not used any more. */
  void use(int coordinator) {
    requests.writeLock().lock();
    try {
      used = coordinator == 1 ? first : second;
    } finally {
      requests.writeLock().unlock();
    }
  }

  RestCalls.Answer get(String path) throws IOException {
    requests.readLock().lock();
    try {
      return used.get(path);
    } finally {
      requests.readLock().unlock();
    }
  }

  RestCalls.Answer call(String method, String path, String json) throws IOException {
    requests.readLock().lock();
    try {
      return used.call(method, path, "application/json", json.getBytes(UTF_8));
    } finally {
      requests.readLock().unlock();
    }
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}
