package io.varve.coordinator.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.events.Operation;
import io.varve.events.SessionToken;
import io.varve.events.ShardId;
import io.varve.rpc.BulkWire;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.DigestWire;
import io.varve.rpc.DocumentsWire;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.GetResult;
import io.varve.rpc.GetResultWire;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.LeaseRenewal;
import io.varve.rpc.NodeBulkWire;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.SeqNoDigests;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies of requests and responses between the processes of a cluster. */
class GoldenWireTest {

  private static final String GROUP = "wire";
  private static final ShardId SHARD = new ShardId("books-uuid", 0);
  private static final byte[] BODY = "{\"a\":1}".getBytes(UTF_8);

  static final LeaseRenewal RENEWAL =
      new LeaseRenewal("books-uuid", "eu-uuid-copy-uuid", 7, true, Map.of(0, 300L, 1, 5L));

  static final ClusterCalls.LeaseOverLimit OVER_LIMIT =
      new ClusterCalls.LeaseOverLimit(SHARD, "eu-uuid-copy-uuid", 7, 900);

  static final ForkPlace FORK = new ForkPlace(900, 4, 299, 1L << 62, 310, 5);

  static final ClusterCalls.CopyStarted PROVEN_START =
      new ClusterCalls.CopyStarted(SHARD, "c1", "i1", 0, null, 4L, 17L);

  private static List<WriteItem> items() {
    return List.of(
        WriteItem.index("1", BODY),
        WriteItem.create("2", BODY).withNewId().routedBy("r"),
        WriteItem.of(WriteItem.Kind.UPDATE, "3", BODY, 0, BODY.length).ifAt(5, 3).returningSource(),
        WriteItem.index("4", BODY).versioned(WriteItem.VersionType.EXTERNAL_GTE, 300),
        WriteItem.delete("ü").versioned(WriteItem.VersionType.EXTERNAL, 12));
  }

  private static List<WriteResult> results() {
    return List.of(
        new WriteResult.Done("created", 300, 3, 1),
        new WriteResult.Done("updated", 301, 3, 2, BODY),
        new WriteResult.Failed(
            new ErrorBody(
                409,
                "version_conflict_engine_exception",
                "[1]: version conflict",
                Map.of("shard", 0),
                ErrorBody.illegalArgument("cause"))));
  }

  private static List<DocumentsWire.Result> results(List<GetResult> documents) {
    return documents.stream().<DocumentsWire.Result>map(DocumentsWire.Result.Read::new).toList();
  }

  private static List<GetResult> documents() {
    return List.of(
        new GetResult(true, "1", "r", 3, 2, 1, BODY, Map.of("year", List.<Object>of(1999))),
        GetResult.missing("2"));
  }

  private static ShardSearchResult found() throws IOException {
    ShardHit.Stamp stamp = new ShardHit.Stamp(3, 2, 1);
    InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    return new ShardSearchResult(
            300,
            false,
            1.5f,
            List.of(
                new ShardHit("1", null, 1.5f, List.of(), stamp, BODY),
                new ShardHit(
                    "2",
                    "r",
                    Float.NaN,
                    Arrays.asList(null, -7L, 0.5, 0.25f, "ü", true, address, BigInteger.TEN),
                    stamp,
                    null,
                    new ShardHit.Extras(
                        List.of(new ShardHit.Part("highlight", BODY)), List.of("shown"), 9L))),
            ShardSearchResult.Cut.TIME,
            299,
            1_000_000)
        .withProfile(BODY);
  }

  static Stream<Golden.Sample> samples() throws IOException {
    List<Operation> operations =
        List.of(
            new Operation(4, 0, 1, 0, "1", null, BODY, new Operation.Origin(900, 4)),
            new Operation(4, 1, 2, 7, "1", "r", null, new Operation.Origin(901, 4)));
    return Stream.of(
        Golden.Sample.binary(
            2,
            GROUP,
            "holds-question",
            HoldsWire.encode(
                new HoldsWire.Question(
                    300,
                    1_000,
                    List.of(
                        HoldsWire.Version.of("1", 300, 4),
                        HoldsWire.Version.deleted("ü", 7, 3),
                        HoldsWire.Version.absent("3", 299)))),
            bytes -> HoldsWire.encode(HoldsWire.decodeQuestion(bytes))),
        Golden.Sample.binary(
            2,
            GROUP,
            "holds-answer",
            HoldsWire.encode(
                new HoldsWire.Answer(
                    "copy-uuid", "run-uuid", 4, 300, List.of(HoldsWire.Verdict.values()))),
            bytes -> HoldsWire.encode(HoldsWire.decodeAnswer(bytes))),
        Golden.Sample.binary(
            2,
            GROUP,
            "digest-answer",
            DigestWire.encode(
                new DigestWire.Answer(
                    "copy-uuid", "run-uuid", 4, 300, SeqNoDigests.of(1, 0, Long.MIN_VALUE))),
            bytes -> DigestWire.encode(DigestWire.decode(bytes))),
        Golden.Sample.binary(
            1,
            GROUP,
            "bulk-request",
            BulkWire.encodeItems(items()),
            bytes -> BulkWire.encodeItems(BulkWire.decodeItems(bytes))),
        Golden.Sample.binary(
            1,
            GROUP,
            "bulk-answer",
            BulkWire.encodeResults(results()),
            bytes -> BulkWire.encodeResults(BulkWire.decodeResults(bytes))),
        Golden.Sample.binary(
            3,
            GROUP,
            "node-bulk-request",
            NodeBulkWire.encodeRequest(
                List.of(
                    new NodeBulkWire.Part(SHARD, 300, 12, "node:7", items()),
                    new NodeBulkWire.Part(
                        new ShardId("films-uuid", 199),
                        3,
                        400,
                        null,
                        List.of(WriteItem.delete("1"))))),
            GoldenWireTest::nodeBulkAgain),
        Golden.Sample.binary(
            3,
            GROUP,
            "node-bulk-frame",
            NodeBulkWire.encodeFrame(
                new NodeBulkWire.Frame(199, 200, BulkWire.encodeResults(results()))),
            GoldenWireTest::frameAgain),
        Golden.Sample.binary(
            1,
            GROUP,
            "documents-request",
            DocumentsWire.encodeWanted(
                List.of(
                    new DocumentsWire.Wanted("1", Set.of("year")),
                    new DocumentsWire.Wanted("2", Set.of()))),
            bytes -> DocumentsWire.encodeWanted(DocumentsWire.decodeWanted(bytes))),
        Golden.Sample.binary(
            1,
            GROUP,
            "documents-answer",
            DocumentsWire.encodeResults(results(documents())),
            bytes -> DocumentsWire.encodeResults(DocumentsWire.decodeResults(bytes))),
        Golden.Sample.binary(
            2,
            GROUP,
            "documents-answer-with-an-error",
            DocumentsWire.encodeResults(
                List.of(
                    new DocumentsWire.Result.Read(documents().getFirst()),
                    new DocumentsWire.Result.Failed(
                        ErrorBody.of(503, "record_unreplicated_exception", "not in time")))),
            bytes -> DocumentsWire.encodeResults(DocumentsWire.decodeResults(bytes))),
        Golden.Sample.binary(
            1,
            GROUP,
            "get-answer",
            GetResultWire.encode(documents().getFirst()),
            bytes -> GetResultWire.encode(GetResultWire.decode(bytes))),
        Golden.Sample.binary(
            1,
            GROUP,
            "replicate-request",
            ReplicateWire.encode(operations, true),
            bytes -> ReplicateWire.encode(ReplicateWire.decode(bytes), true)),
        Golden.Sample.binary(
            2,
            GROUP,
            "replicate-request-with-digests",
            ReplicateWire.encode(
                List.of(
                    new Operation(
                        4, 0, 1, 0, "1", "r", BODY, new Operation.Origin(900, 4, 1L << 62))),
                true),
            bytes -> ReplicateWire.encode(ReplicateWire.decode(bytes), true)),
        Golden.Sample.binary(
            1,
            GROUP,
            "search-answer",
            found().toBytes(),
            bytes -> ShardSearchResult.fromBytes(bytes).toBytes()),
        Golden.Sample.binary(
            1,
            GROUP,
            "session-token",
            SessionToken.NONE.plus(SHARD, 300).plus(new ShardId("u2", 1), 5).text().getBytes(UTF_8),
            bytes -> SessionToken.parse(new String(bytes, UTF_8)).text().getBytes(UTF_8)),
        Golden.Sample.binary(
            1,
            GROUP,
            "node-load-header",
            new NodeLoad(5, new NodeLoad.Queue(1, 2, 3), new NodeLoad.Times(4, 0.5, 6, 7))
                .toHeader()
                .getBytes(UTF_8),
            bytes -> NodeLoad.of(new String(bytes, UTF_8)).toHeader().getBytes(UTF_8)),
        Golden.Sample.json(
            1, GROUP, "new-term-request", new ClusterCalls.NewTerm(SHARD, "c1", "n1", 3, "why")),
        Golden.Sample.json(
            1, GROUP, "copy-started-request", new ClusterCalls.CopyStarted(SHARD, "c1", "i1", 3)),
        Golden.Sample.json(
            1, GROUP, "copy-failed-request", new ClusterCalls.CopyFailed(SHARD, "c1", "i1", "why")),
        Golden.Sample.json(
            1, GROUP, "new-fields-request", new ClusterCalls.NewFields("books-uuid", 2, "{}")),
        Golden.Sample.json(1, GROUP, "applied-answer", new ClusterCalls.Applied(7)),
        Golden.Sample.json(1, GROUP, "replicate-answer", new ReplicateWire.Answer(900, 4, 299, 2)),
        Golden.Sample.json(
            1, GROUP, "replicate-cursor", new ReplicateWire.Cursor(900, 4, 300, 299, 299, 2, null)),
        Golden.Sample.json(
            2,
            GROUP,
            "replicate-cursor-with-digest",
            new ReplicateWire.Cursor(900, 4, 300, 299, 299, 2, 1L << 62)),
        Golden.Sample.json(
            2,
            GROUP,
            "copy-started-request-with-fork",
            new ClusterCalls.CopyStarted(SHARD, "c1", "i1", 3, FORK)),
        Golden.Sample.json(3, GROUP, "copy-started-request-proven-from", PROVEN_START),
        Golden.Sample.json(2, GROUP, "lease-renewal", RENEWAL),
        Golden.Sample.json(
            2, GROUP, "lease-renewal-answer", new LeaseRenewal.Active(7, Map.of(1, 900L))),
        Golden.Sample.json(
            2, GROUP, "lease-release", new LeaseRenewal.Release("books-uuid", "eu-uuid-copy-uuid")),
        Golden.Sample.json(2, GROUP, "lease-over-limit-request", OVER_LIMIT),
        Golden.Sample.json(1, GROUP, "merge-request", new ForceMergeRequest(1, false, true)));
  }

  private static byte[] nodeBulkAgain(byte[] request) {
    ByteBuffer in = ByteBuffer.wrap(request);
    List<NodeBulkWire.Part> parts = new ArrayList<>();
    byte[] heads = read(in, NodeBulkWire.length(read(in, NodeBulkWire.LENGTH_BYTES)));
    for (NodeBulkWire.Head head : NodeBulkWire.decodeHeads(heads)) {
      List<WriteItem> items = BulkWire.decodeItems(read(in, head.sizeBytes()));
      parts.add(
          new NodeBulkWire.Part(
              head.shard(), head.term(), head.metadataVersion(), head.task(), items));
    }
    return NodeBulkWire.encodeRequest(parts);
  }

  private static byte[] read(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static byte[] frameAgain(byte[] answer) {
    List<byte[]> again = new ArrayList<>();
    new NodeBulkWire.Frames()
        .add(answer, answer.length, frame -> again.add(NodeBulkWire.encodeFrame(frame)));
    return again.getFirst();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aBodyIsWrittenAndReadAsItsLevelHasIt(Golden.Sample sample) throws IOException {
    Golden.matches(sample);
  }

  @Test
  void noGoldenBodyIsLeftUntested() throws IOException {
    Golden.assertAllTested(GROUP, samples());
  }
}
