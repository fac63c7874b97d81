package io.varve.load.simulation;

/** Taxi rides: ranges, histograms and sorts on one shard. */
public final class NycTaxisSimulation extends WorkloadSimulation {

  public NycTaxisSimulation() {
    super(Workload.nycTaxis());
  }
}
