package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.coordinator.rest.index.StoredFieldsShare;
import io.varve.rpc.CopySegments;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cat/segments}: one row for each Lucene segment of each copy that answers, with the oldest
 * segment first.
 */
final class SegmentTable {

  private final ClusterAccess cluster;
  private final CopyReader reader;

  SegmentTable(ClusterAccess cluster, CopyReader reader) {
    this.cluster = cluster;
    this.reader = reader;
  }

  private record SegmentRow(CopyReader.Answer<CopySegments> answer, CopySegments.Segment segment) {

    CopySegments.StoredFields stored() {
      return segment.storedFields();
    }
  }

  Maker prepare(Question question) {
    IndexOptions options = question.options(IndexOptions.LENIENT);
    return () -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, question.expression(), options);
      List<SegmentRow> rows = new ArrayList<>();
      for (CopyReader.Answer<CopySegments> answer : reader.segments(state, indices)) {
        CopySegments reported = answer.reported();
        if (reported != null) {
          reported.segments().stream()
              .sorted(Comparator.comparingLong(CopySegments.Segment::generation))
              .forEach(segment -> rows.add(new SegmentRow(answer, segment)));
        }
      }
      return columns().table(rows);
    };
  }

  private static Columns<SegmentRow> columns() {
    return storedFields(
        new Columns<SegmentRow>()
            .text("index", "i,idx", "index name", row -> row.answer().index().name())
            .text("shard", "s,sh", "shard name", row -> row.answer().copy().shard().number())
            .text(
                "prirep",
                "p,pr,primaryOrReplica",
                "primary or replica",
                row -> row.answer().primary() ? "p" : "r")
            .text(
                "ip",
                "",
                "ip of node where it lives",
                row -> NodeFilter.host(row.answer().copy().node()))
            .hiddenText(
                "id",
                "",
                "unique id of node where it lives",
                row -> row.answer().copy().node().nodeId())
            .text("segment", "seg", "segment name", row -> row.segment().name())
            .number("generation", "g,gen", "segment generation", row -> row.segment().generation())
            .number(
                "docs.count", "dc,docsCount", "number of docs in segment", r -> r.segment().docs())
            .number(
                "docs.deleted",
                "dd,docsDeleted",
                "number of deleted docs in segment",
                row -> row.segment().deletedDocs())
            .number(
                "size", "si", "segment size in bytes", row -> new Bytes(row.segment().sizeBytes()))
            .number("size.memory", "sm,sizeMemory", "segment memory in bytes", row -> 0)
            .text(
                "committed", "ic,isCommitted", "is segment committed", r -> r.segment().committed())
            .text(
                "searchable", "is,isSearchable", "is segment searched", r -> r.segment().searched())
            .text("version", "v,ver", "version", row -> row.segment().version())
            .text(
                "compound", "ico,isCompound", "is segment compound", r -> r.segment().compound()));
  }

  private static Columns<SegmentRow> storedFields(Columns<SegmentRow> columns) {
    return columns
        .extensions()
        .hiddenText(
            "stored_fields.codec",
            "sfc,storedFieldsCodec",
            "how stored fields are encoded",
            row -> row.stored().codec())
        .hidden(
            "stored_fields.level",
            "sfl,storedFieldsLevel",
            "level of the encoding",
            row -> row.stored().level() == 0 ? null : row.stored().level())
        .hiddenText(
            "stored_fields.dictionary",
            "sfd,storedFieldsDictionary",
            "id of the dictionary of the encoding",
            row -> row.stored().dictionary())
        .hidden(
            "stored_fields.size",
            "sfs,storedFieldsSize",
            "bytes of stored fields",
            row -> new Bytes(row.stored().bytes()))
        .hidden(
            "stored_fields.raw",
            "sfr,storedFieldsRaw",
            "bytes of stored fields before compression, where noted",
            row -> row.stored().rawBytes() < 0 ? null : new Bytes(row.stored().rawBytes()))
        .hidden(
            "stored_fields.ratio",
            "sfq,storedFieldsRatio",
            "stored fields compared with what they were before compression",
            SegmentTable::ratio);
  }

  private static @Nullable Double ratio(SegmentRow row) {
    OptionalDouble ratio = StoredFieldsShare.ratio(row.stored().bytes(), row.stored().rawBytes());
    return ratio.isPresent() ? ratio.getAsDouble() : null;
  }
}
