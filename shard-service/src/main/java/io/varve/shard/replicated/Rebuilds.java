package io.varve.shard.replicated;

import io.varve.host.CopyContext;
import io.varve.log.LogException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The log and the copies of a shard on running nodes. */
final class Rebuilds implements Contradictions.Shard {

  private final CopyContext context;

  Rebuilds(CopyContext context) {
    this.context = context;
  }

  @Override
  public List<LogEvidence.Verdict> evidence(List<Disputed> disputed) throws LogException {
    return LogEvidence.of(context.operations(), disputed);
  }

  @Override
  public void rebuild(Member copy, String reason) throws IOException, InterruptedException {
    String endpoint =
        "contradicted?copy_id=%s&incarnation=%s&reason=%s"
            .formatted(encoded(copy.copyId()), encoded(copy.incarnation()), encoded(reason));
    URI uri =
        CopyQuestions.uri(context, copy, endpoint)
            .orElseThrow(() -> new IOException(copy + " is on no node"));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(context.node().settings().limits().answers().rebuild())
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    HttpResponse<byte[]> response =
        context.node().http().send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      throw CopyQuestions.failure(copy, "contradicted", response.statusCode(), response.body());
    }
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  @Override
  public void rebuildPrimary(String reason) {
    context.host().contradicted(reason);
  }
}
