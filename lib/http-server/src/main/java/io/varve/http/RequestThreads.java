package io.varve.http;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.TryExecutor;

/**
 * An unlimited number of virtual threads for an HTTP server, like Jetty's {@link
 * org.eclipse.jetty.util.thread.VirtualThreadPool}, but without its thread that keeps the JVM
 * alive: with several servers in a process, each server would have one.
 */
final class RequestThreads extends AbstractLifeCycle
    implements ThreadPool, TryExecutor, VirtualThreads.Configurable {

  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("jetty-", 0).factory());

  private final CountDownLatch stopped = new CountDownLatch(1);

  @Override
  public Executor getVirtualThreadsExecutor() {
    return threads;
  }

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  @Override
  public boolean tryExecute(Runnable task) {
    threads.execute(task);
    return true;
  }

  @Override
  protected void doStop() {
    stopped.countDown();
  }

  @Override
  public void join() throws InterruptedException {
    stopped.await();
  }

  /** Not counted. */
  @Override
  public int getThreads() {
    return 0;
  }

  @Override
  public int getIdleThreads() {
    return 0;
  }

  @Override
  public boolean isLowOnThreads() {
    return false;
  }
}
