package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.Operation;
import java.util.Map;

/**
 * The files of a manifest hold every accepted operation before its next offset, and it records the
 * state of the fence there.
 */
final class ManifestNextOffsetNeverExceedsItsDocuments implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Published(Manifest manifest, SimDisk disk))) {
      return;
    }
    AcceptedLog acceptedLog = world.logs().acceptedLog(manifest.shard());
    long nextOffset = manifest.nextOffset();
    require(
        manifest.nextSeqNo() == acceptedLog.nextSeqNoBefore(nextOffset)
            && manifest.fenceTerm() == acceptedLog.termBefore(nextOffset)
            && manifest.visibleSeqNo() < manifest.nextSeqNo(),
        "%s, but at its offset the fence is at seq_no %d, term %d",
        manifest,
        acceptedLog.nextSeqNoBefore(nextOffset),
        acceptedLog.termBefore(nextOffset));
    Map<String, Operation> documents = Segment.fold(disk.segments(manifest.files()));
    for (String id : acceptedLog.ids()) {
      Operation newest = acceptedLog.newest(id, manifest.nextSeqNo() - 1);
      Operation there = documents.get(id);
      require(
          newest == null || (there != null && there.seqNo() >= newest.seqNo()),
          "%s lacks %s",
          manifest,
          newest);
    }
  }
}
