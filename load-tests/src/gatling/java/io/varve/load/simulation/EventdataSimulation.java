package io.varve.load.simulation;

/** Events of a web server: bulks alone. */
public final class EventdataSimulation extends WorkloadSimulation {

  public EventdataSimulation() {
    super(Workload.eventdata());
  }
}
