package io.varve.testkit.sim;

import io.varve.control.MemberChecks;

/**
 * A member that is removed because its address refuses connections has ended: neither a pause nor a
 * cut link is treated as its end.
 */
final class RefusedMemberHasEnded implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.Removed(var member, String reason)
        && reason.startsWith(MemberChecks.REFUSES)) {
      SimProcess process = world.processAt(member.url());
      require(
          !process.isUp() || !process.toString().equals(member.incarnation()),
          "%s runs, but was removed: %s",
          process,
          reason);
    }
  }
}
