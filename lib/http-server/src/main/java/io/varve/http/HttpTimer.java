package io.varve.http;

import io.varve.process.SteadyTimer;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The timer of all HTTP servers of this process, for the timeouts of their connections. A server
 * does not stop it, because another server may use it.
 */
final class HttpTimer {

  private static final Scheduler OF_THIS_PROCESS = started();

  private HttpTimer() {}

  static Scheduler ofThisProcess() {
    return OF_THIS_PROCESS;
  }

  private static Scheduler started() {
    Scheduler scheduler = new ScheduledExecutorScheduler(new SteadyTimer("http-timer"));
    LifeCycle.start(scheduler);
    return scheduler;
  }
}
