package io.varve.load.simulation;

/** Questions and answers: bulks alone. */
public final class StackoverflowSimulation extends WorkloadSimulation {

  public StackoverflowSimulation() {
    super(Workload.stackoverflow());
  }
}
