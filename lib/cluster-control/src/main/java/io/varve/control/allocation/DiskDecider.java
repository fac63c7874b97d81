package io.varve.control.allocation;

import io.varve.cluster.ClusterState;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.Watermark;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Keeps copies off full disks. A copy may be allocated below the low watermark, or below the high
 * one if it is a primary that was never active; it may remain below the high one. A node that did
 * not report its disk usage is not restricted.
 */
final class DiskDecider {

  private static final String NAME = "disk_threshold";

  private DiskDecider() {}

  static Verdict decide(Candidate place, @Nullable DiskUsage disk) {
    ClusterState state = place.state();
    if (!Watermark.enabled(state)) {
      return new Verdict(NAME, true, "the disk threshold decider is disabled");
    }
    if (disk == null) {
      return new Verdict(NAME, true, "disk usages are unavailable");
    }
    boolean fresh = place.copy().primary() && place.shard().primaryTerm() == 0;
    if (place.isHere() || fresh) {
      return Watermark.HIGH.isExceeded(state, disk)
          ? new Verdict(
              NAME,
              false,
              (place.isHere()
                      ? "the shard cannot remain on this node because it is above the high"
                          + " watermark cluster setting ["
                      : "the node is above the high watermark cluster setting [")
                  + Watermark.HIGH.setting()
                  + "="
                  + Watermark.HIGH.value(state)
                  + "], "
                  + actual(disk))
          : new Verdict(
              NAME,
              true,
              place.isHere()
                  ? "there is enough disk on this node for the shard to remain, free: ["
                      + disk.freeBytes()
                      + "b]"
                  : "the node is above the low watermark, but less than the high watermark, and"
                      + " this primary shard has never been allocated before");
    }
    return Watermark.LOW.isExceeded(state, disk)
        ? new Verdict(
            NAME,
            false,
            "the node is above the low watermark cluster setting ["
                + Watermark.LOW.setting()
                + "="
                + Watermark.LOW.value(state)
                + "], "
                + actual(disk))
        : new Verdict(
            NAME, true, "enough disk for shard on node, free: [" + disk.freeBytes() + "b]");
  }

  private static String actual(DiskUsage disk) {
    return String.format(
        Locale.ROOT,
        "using more disk space than the maximum allowed, actual used: [%.2f%%], actual free:"
            + " [%.2f%%]",
        disk.usedPercent(),
        disk.freePercent());
  }
}
