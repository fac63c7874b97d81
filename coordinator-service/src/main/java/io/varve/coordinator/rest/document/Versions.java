package io.varve.coordinator.rest.document;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteItem.Kind;
import io.varve.rpc.WriteItem.VersionType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates ids, versions and conditions of writes, with OpenSearch's error messages. */
final class Versions {

  private static final int MAX_ID_BYTES = 512;

  private Versions() {}

  static VersionType type(@Nullable String name) {
    return switch (name) {
      case null -> VersionType.INTERNAL;
      case "internal" -> VersionType.INTERNAL;
      case "external", "external_gt" -> VersionType.EXTERNAL;
      case "external_gte" -> VersionType.EXTERNAL_GTE;
      default ->
          throw new ApiException(ErrorBody.illegalArgument("No version type match [" + name + "]"));
    };
  }

  /** Adds the problems of a write; {@code id} is the id that the client sent. */
  static void check(
      Kind kind,
      @Nullable String index,
      @Nullable String id,
      VersionType type,
      long version,
      long ifSeqNo,
      long ifPrimaryTerm,
      List<String> problems) {
    if (index == null || index.isEmpty()) {
      problems.add("index is missing");
    }
    checkId(kind, id, type, version, problems);
    checkVersion(kind, type, version, ifSeqNo, ifPrimaryTerm, problems);
  }

  private static void checkId(
      Kind kind, @Nullable String id, VersionType type, long version, List<String> problems) {
    boolean needsId = kind == Kind.DELETE || kind == Kind.UPDATE;
    if (id == null || (needsId && id.isEmpty())) {
      if (needsId) {
        problems.add("id is missing");
      } else if (type != VersionType.INTERNAL || version != WriteItem.UNASSIGNED) {
        problems.add("an id must be provided if version type or value are set");
      }
    } else if (id.length() * 3 > MAX_ID_BYTES) {
      int sizeBytes = id.getBytes(StandardCharsets.UTF_8).length;
      if (sizeBytes > MAX_ID_BYTES) {
        problems.add(
            "id [" + id + "] is too long, must be no longer than 512 bytes but was: " + sizeBytes);
      }
    }
  }

  private static void checkVersion(
      Kind kind,
      VersionType type,
      long version,
      long ifSeqNo,
      long ifPrimaryTerm,
      List<String> problems) {
    boolean conditional = ifSeqNo != WriteItem.UNASSIGNED;
    boolean versioned = version != WriteItem.UNASSIGNED;
    if (kind == Kind.CREATE && (type != VersionType.INTERNAL || versioned)) {
      problems.add("create operations only support internal versioning. use index instead");
    } else if (kind == Kind.CREATE && conditional) {
      problems.add("create operations do not support compare and set. use index instead");
    } else if (type == VersionType.INTERNAL && versioned) {
      problems.add(
          "internal versioning can not be used for optimistic concurrency control. Please use"
              + " `if_seq_no` and `if_primary_term` instead");
    } else if (type != VersionType.INTERNAL && (!versioned || version < 0)) {
      problems.add(
          "illegal version value [" + version + "] for version type [" + type.name() + "]");
    }
    if (conditional && ifSeqNo < 0) {
      problems.add("sequence numbers must be non negative. got [" + ifSeqNo + "].");
    } else if (ifPrimaryTerm < 0) {
      problems.add("primary term must be non negative. got [" + ifPrimaryTerm + "]");
    } else if (conditional && ifPrimaryTerm == 0) {
      problems.add("ifSeqNo is set, but primary term is [0]");
    } else if (!conditional && ifPrimaryTerm != 0) {
      problems.add("ifSeqNo is unassigned, but primary term is [" + ifPrimaryTerm + "]");
    }
  }
}
