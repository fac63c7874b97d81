package io.varve.load.simulation;

/** Web logs in seven indices: searches over all their shards. */
public final class HttpLogsSimulation extends WorkloadSimulation {

  public HttpLogsSimulation() {
    super(Workload.httpLogs());
  }
}
