package io.varve.rest;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Runs requests within the accounts of this process: its counts per kind of work and its list of
 * tasks.
 */
public interface RequestRunner {

  /** The action of one request. */
  @FunctionalInterface
  interface Action {
    void run() throws InterruptedException;
  }

  /** Counts the request as work of this kind, see {@link KindOfWork}, while it runs. */
  void count(String kindOfWork, Action request) throws InterruptedException;

  /** Lists the action of a request as a task while it runs. */
  void runTask(TaskKind task, HttpServletRequest http, Action action) throws InterruptedException;
}
