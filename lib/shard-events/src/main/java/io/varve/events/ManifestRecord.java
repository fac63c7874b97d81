package io.varve.events;

/** What a record of the manifests' topic says. */
public sealed interface ManifestRecord {

  /** Whoever published it has the files. */
  record Published(Manifest manifest) implements ManifestRecord {}

  /** The segment store has them. */
  record Stored(StoredManifest stored) implements ManifestRecord {}

  /** Another cluster needs operations. */
  record Leased(FollowerLease lease) implements ManifestRecord {}

  /** Another cluster needs them no more. */
  record Released(String holder) implements ManifestRecord {}

  /** Nothing: taken back, or of a kind that is not known here. */
  record Nothing() implements ManifestRecord {}

  /**
   * @throws MalformedRecordException it can't be read
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
    return StoredManifest.isKey(key)
        ? new Stored(Json.read(value, StoredManifest.class))
        : new Published(Json.read(value, Manifest.class));
  }
}
