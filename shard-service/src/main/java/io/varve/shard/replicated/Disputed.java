package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Version;

/**
 * A version of a document that the primary has and another copy contradicts.
 *
 * @param upToSeqNo the primary has applied all operations up to this one, and knows no later
 *     version among them; of a copy's answer the version's own seq_no
 */
record Disputed(Version version, long upToSeqNo) {

  static Disputed of(Version version) {
    return new Disputed(version, version.seqNo());
  }
}
