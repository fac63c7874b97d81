package io.varve.events;

import java.nio.charset.StandardCharsets;

/** A decoded record of the manifests topic. */
public sealed interface ManifestRecord {

  /** The publisher has the files. */
  record Published(Manifest manifest) implements ManifestRecord {}

  /** The segment store has the files. */
  record Stored(StoredManifest stored) implements ManifestRecord {}

  /** A follower cluster retains operations. */
  record Leased(FollowerLease lease) implements ManifestRecord {}

  /** A follower cluster released its lease. */
  record Released(String holder) implements ManifestRecord {}

  /** All copies hold the operations up to a seq_no. */
  record Replicated(ReplicatedSeqNo upTo) implements ManifestRecord {}

  /** A deleted record, or one of an unknown kind. */
  record Nothing() implements ManifestRecord {}

  /**
   * @throws MalformedRecordException if the record can't be decoded
   */
  static ManifestRecord of(RawRecord record) {
    byte[] key = record.key();
    byte[] value = record.value();
    if (key != null && FollowerLease.isKey(key)) {
      return value == null
          ? new Released(FollowerLease.holder(key))
          : new Leased(Json.read(value, FollowerLease.class));
    }
    if (key == null || value == null) {
      return new Nothing();
    }
    if (ReplicatedSeqNo.isKey(key)) {
      return new Replicated(Json.read(value, ReplicatedSeqNo.class));
    }
    return StoredManifest.isKey(key)
        ? new Stored(Json.read(value, StoredManifest.class))
        : new Published(Json.read(value, Manifest.class));
  }

  /**
   * The term of a published or stored manifest, from its key: the value is not decoded. -1 if the
   * record is neither.
   */
  static long termOf(RawRecord record) {
    byte[] key = record.key();
    if (key == null || record.value() == null || FollowerLease.isKey(key)) {
      return -1;
    }
    String text = new String(key, StandardCharsets.UTF_8);
    try {
      return Long.parseLong(text.substring(text.lastIndexOf('/') + 1));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Whether the record is a {@link Replicated}, from its key. */
  static boolean isReplicated(RawRecord record) {
    byte[] key = record.key();
    return key != null && ReplicatedSeqNo.isKey(key);
  }

  /** Whether the record is a stored manifest, from its key. */
  static boolean isStored(RawRecord record) {
    byte[] key = record.key();
    return key != null && StoredManifest.isKey(key);
  }
}
