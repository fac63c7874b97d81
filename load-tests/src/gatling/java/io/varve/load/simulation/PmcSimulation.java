package io.varve.load.simulation;

/** Long articles: phrases, aggregations by month and scrolls. */
public final class PmcSimulation extends WorkloadSimulation {

  public PmcSimulation() {
    super(Workload.pmc());
  }
}
