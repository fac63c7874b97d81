package io.varve.shard.replicated;

import io.varve.events.Json;
import io.varve.host.CopyContext;
import io.varve.rpc.CheckedFiles;
import io.varve.rpc.DigestWire;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.SeqNoDigests;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Asks other copies of the shard over the internal endpoints, to compare them with the primary. */
final class ComparedCopies implements CopyComparison.Others {

  /** How long a copy waits until it holds the seq_no. */
  private static final long WAIT_MILLIS = 10_000;

  /** Reading all files of a large copy takes long. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  private final CopyContext context;
  private final ReplicatedRecords records;

  ComparedCopies(CopyContext context, ReplicatedRecords records) {
    this.context = context;
    this.records = records;
  }

  @Override
  public Set<Opening> openings() {
    return records.openings();
  }

  @Override
  public DigestWire.Answer digests(Member member, long toSeqNo)
      throws IOException, InterruptedException {
    return DigestWire.decode(
        post(member, "digest?to_seq_no=" + toSeqNo + "&wait_millis=" + WAIT_MILLIS, new byte[0]));
  }

  @Override
  public List<Version> versions(Member member, SeqNoDigests.Range range)
      throws IOException, InterruptedException {
    String path = "versions?from_seq_no=" + range.fromSeqNo() + "&to_seq_no=" + range.toSeqNo();
    return HoldsWire.decodeQuestion(post(member, path, new byte[0])).versions();
  }

  @Override
  public HoldsWire.Answer ask(Member member, List<Version> versions)
      throws IOException, InterruptedException {
    HoldsWire.Question question = new HoldsWire.Question(-1, 0, versions);
    return HoldsWire.decodeAnswer(post(member, "holds", HoldsWire.encode(question)));
  }

  @Override
  public CheckedFiles checkFiles(Member member) throws IOException, InterruptedException {
    return Json.read(post(member, "check-files", new byte[0]), CheckedFiles.class);
  }

  private byte[] post(Member member, String path, byte[] body)
      throws IOException, InterruptedException {
    URI uri =
        CopyQuestions.uri(context, member, path)
            .orElseThrow(() -> new IOException(member.copyId() + " is on no node"));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(TIMEOUT)
            .header("Content-Type", HoldsWire.CONTENT_TYPE)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    HttpResponse<byte[]> response =
        context.node().http().send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      throw CopyQuestions.failure(
          member, path.split("\\?", 2)[0], response.statusCode(), response.body());
    }
    return response.body();
  }
}
