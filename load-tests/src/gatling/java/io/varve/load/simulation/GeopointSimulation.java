package io.varve.load.simulation;

/** Points: polygon, box and distances. */
public final class GeopointSimulation extends WorkloadSimulation {

  public GeopointSimulation() {
    super(Workload.geopoint());
  }
}
