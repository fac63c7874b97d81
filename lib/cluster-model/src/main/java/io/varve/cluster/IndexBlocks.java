package io.varve.cluster;

import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The operations that {@code index.blocks.*} forbids, and the error texts. */
public final class IndexBlocks {

  public static final String READ_ONLY = "index.blocks.read_only";
  public static final String READ_ONLY_ALLOW_DELETE = "index.blocks.read_only_allow_delete";
  public static final String READ = "index.blocks.read";
  public static final String WRITE = "index.blocks.write";
  public static final String METADATA = "index.blocks.metadata";

  /** Set and removed by {@code _scale} only. */
  public static final String SEARCH_ONLY = "index.blocks.search_only";

  /** Kinds of operations on an index. */
  public enum Action {
    READ,
    WRITE,
    METADATA_READ,
    METADATA_WRITE,
    DELETE_INDEX
  }

  private record Block(String setting, int status, String text, Set<Action> forbids) {}

  private static final List<Block> BLOCKS =
      List.of(
          new Block(
              READ_ONLY,
              403,
              "FORBIDDEN/5/index read-only (api)",
              Set.of(Action.WRITE, Action.METADATA_WRITE, Action.DELETE_INDEX)),
          new Block(READ, 403, "FORBIDDEN/7/index read (api)", Set.of(Action.READ)),
          new Block(WRITE, 403, "FORBIDDEN/8/index write (api)", Set.of(Action.WRITE)),
          new Block(
              METADATA,
              403,
              "FORBIDDEN/9/index metadata (api)",
              Set.of(Action.METADATA_READ, Action.METADATA_WRITE, Action.DELETE_INDEX)),
          new Block(
              READ_ONLY_ALLOW_DELETE,
              429,
              "TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has"
                  + " read-only-allow-delete block",
              Set.of(Action.WRITE, Action.METADATA_WRITE)),
          new Block(SEARCH_ONLY, 403, "FORBIDDEN/20/index scaled down", Set.of(Action.WRITE)));

  private IndexBlocks() {}

  /**
   * A block as the API shows it.
   *
   * @param levels the forbidden operations, in OpenSearch's terms
   */
  public record Shown(String id, String description, List<String> levels) {}

  static boolean isSet(Map<String, String> settings, String block) {
    return Boolean.parseBoolean(settings.get(block));
  }

  /** The blocks of the index, including that of a closed index. */
  public static List<Shown> of(IndexMetadata index) {
    List<Shown> shown = new ArrayList<>();
    if (index.closed()) {
      shown.add(new Shown("4", "index closed", List.of("read", "write")));
    }
    for (Block block : BLOCKS) {
      if (isSet(index.settings(), block.setting())) {
        String[] parts = block.text().split("/", 3);
        shown.add(
            new Shown(
                parts[1],
                parts[2],
                block.forbids().stream()
                    .filter(action -> action != Action.DELETE_INDEX)
                    .map(action -> action.name().toLowerCase(Locale.ROOT))
                    .sorted()
                    .toList()));
      }
    }
    return shown;
  }

  /** The error of a request that requires an open index but names a closed one. */
  public static ErrorBody closed(IndexMetadata index) {
    return ErrorBody.of(400, "index_closed_exception", "closed")
        .with("index", index.name())
        .with("index_uuid", index.uuid());
  }

  /** The error if {@code action} is blocked on the index. */
  public static Optional<ErrorBody> refusal(IndexMetadata index, Action action) {
    List<String> texts = new ArrayList<>();
    int status = 429;
    for (Block block : BLOCKS) {
      if (block.forbids().contains(action) && isSet(index.settings(), block.setting())) {
        texts.add("[" + block.text() + "];");
        status = block.status() == 403 ? 403 : status;
      }
    }
    return texts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ErrorBody.of(
                    status,
                    "cluster_block_exception",
                    "index [" + index.name() + "] blocked by: " + String.join(", ", texts))
                .with("index", index.name())
                .with("index_uuid", index.uuid()));
  }
}
