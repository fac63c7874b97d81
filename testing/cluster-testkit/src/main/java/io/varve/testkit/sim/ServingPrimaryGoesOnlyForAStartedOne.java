package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;

/**
 * A serving primary is replaced only by a started copy, in a later term. It is removed without a
 * successor only when the index becomes search-only.
 */
final class ServingPrimaryGoesOnlyForAStartedOne implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Routed routed) || routed.before() == null) {
      return;
    }
    CopyRouting former = routed.before().primary();
    CopyRouting primary = routed.now().primary();
    if (routed.now().released()) {
      return;
    }
    if (routed.primaryServed() && !former.copyId().equals(primary.copyId())) {
      require(
          primary.started() && routed.now().primaryTerm() > routed.before().primaryTerm(),
          "%s was followed by %s in term %d",
          former,
          primary,
          routed.now().primaryTerm());
    }
  }
}
