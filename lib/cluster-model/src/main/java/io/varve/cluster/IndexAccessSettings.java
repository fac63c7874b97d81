package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;
import static io.varve.cluster.Setting.fixed;

import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Given;
import java.util.List;

/**
 * Index settings for access: blocks, visibility to wildcards, and values that only the system sets.
 */
final class IndexAccessSettings {

  static final List<Setting> BLOCKS =
      List.of(
          dynamic(IndexSettings.HIDDEN, new Flag(), "false", "whether wildcards skip the index")
              .notReplicated(),
          dynamic(IndexBlocks.READ_ONLY, new Flag(), "false", "refuses writes and metadata")
              .notReplicated(),
          dynamic(
                  IndexBlocks.READ_ONLY_ALLOW_DELETE,
                  new Flag(),
                  "false",
                  "like read_only, but answers 429")
              .notReplicated(),
          dynamic(IndexBlocks.READ, new Flag(), "false", "refuses reads").notReplicated(),
          dynamic(IndexBlocks.WRITE, new Flag(), "false", "refuses writes").notReplicated(),
          dynamic(IndexBlocks.METADATA, new Flag(), "false", "refuses reading metadata")
              .notReplicated());

  static final List<Setting> GIVEN =
      List.of(
          fixed(IndexSettings.UUID, new Given(), null, "names the index's topics").notReplicated(),
          fixed(IndexSettings.CREATION_DATE, new Given(), null, "shown").notReplicated(),
          fixed(IndexSettings.PROVIDED_NAME, new Given(), null, "shown").notReplicated(),
          fixed(IndexSettings.VERSION_CREATED, new Given(), null, "shown").notReplicated(),
          fixed(
                  IndexBlocks.SEARCH_ONLY,
                  new Given(),
                  null,
                  "refuses writes; set and lifted by POST /{index}/_scale")
              .notReplicated());

  private IndexAccessSettings() {}
}
