package io.varve.cluster;

import io.varve.cluster.SettingKind.Choice;
import io.varve.cluster.SettingKind.Size;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Kinds that several settings share. They are in a separate class because both registries, of index
 * settings and of cluster settings, use them, and must not depend on each other's initialisation.
 */
final class SettingKinds {

  static final Whole COUNT = new Whole(0, Integer.MAX_VALUE);
  static final Whole POSITIVE = new Whole(1, Integer.MAX_VALUE);
  static final Time ANY_TIME = new Time(-1);
  static final Size ANY_SIZE = new Size(0, 1L << 44);

  /** Bytes per second; -1 or 0 for no limit. */
  static final Size RATE = new Size(-1, 1L << 44);

  /** Kinds of copies that may be allocated. */
  static final Choice ALLOCATED = words("all", "primaries", "new_primaries", "none");

  /** Kinds of copies that may be rebalanced. */
  static final Choice REBALANCED = words("all", "primaries", "replicas", "none");

  static final Choice REPLICATION_TYPES =
      new Choice(
          List.of(IndexMetadata.SEGMENT, IndexMetadata.DOCUMENT),
          "Could not parse ReplicationStrategy for [",
          "]");

  private SettingKinds() {}

  static Choice words(String... words) {
    return new Choice(List.of(words), "illegal value [", "], must be one of " + List.of(words));
  }
}
