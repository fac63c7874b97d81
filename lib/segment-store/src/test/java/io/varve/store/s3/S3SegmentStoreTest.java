package io.varve.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.ShardId;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs against a real S3 API over HTTP with faults injected in the server. */
class S3SegmentStoreTest extends S3SegmentStoreContract {

  @TempDir private static Path folder;
  private static S3Server server;

  @BeforeAll
  static void startServer() throws Exception {
    server = new S3Server(folder);
  }

  @AfterAll
  static void stopServer() throws Exception {
    server.close();
  }

  @Override
  S3Settings settings() {
    return server.settings();
  }

  @Test
  void sendsALongObjectInParts() throws IOException {
    byte[] content = large();
    server.faults.parts.clear();
    put(content, content.length);
    assertThat(server.faults.parts).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void aBusyServerIsAskedAgain() throws IOException {
    server.faults.busyPuts.set(2);
    put("0123");
    server.faults.busyGets.set(2);
    assertThat(read(0, 4)).isEqualTo("0123");
    store.delete(key);
    server.faults.busyParts.set(2);
    put(large(), large().length);
    assertThat(store.exists(key)).isTrue();
  }

  @Test
  void aServerThatStaysBusyIsAFailureThatLeavesNothingBehind() throws IOException {
    server.faults.busyPuts.set(100);
    assertThatThrownBy(() -> put("0123")).isInstanceOf(IOException.class);
    server.faults.busyPuts.set(0);
    server.faults.busyParts.set(100);
    assertThatThrownBy(() -> put(large(), large().length)).isInstanceOf(IOException.class);
    server.faults.busyParts.set(0);
    assertThat(store.exists(key)).isFalse();
    assertThat(unfinishedUploads()).isEmpty();
  }

  @Test
  void aPutWhoseAnswerIsLostIsRepeatedWithTheSameContent() throws IOException {
    server.faults.putsWithoutAnAnswer.set(2);
    put("0123");
    assertThat(read(0, 4)).isEqualTo("0123");
  }

  @Test
  void anAnswerThatBreaksOffIsNoticed() throws IOException {
    put("0123456789".repeat(1000));
    server.faults.cutGets.set(1);
    assertThatThrownBy(
            () -> {
              if (read(0, 10_000).length() < 10_000) {
                throw new IOException("it ended early");
              }
            })
        .isInstanceOf(IOException.class);
    assertThat(read(0, 10_000)).hasSize(10_000);
  }

  @Test
  void aServerThatIsGoneIsAnIoException(@TempDir Path another) throws Exception {
    S3Settings settings;
    try (S3Server gone = new S3Server(another)) {
      settings = gone.settings();
    }
    try (S3SegmentStore lonely = new S3SegmentStore(settings)) {
      assertThatThrownBy(() -> lonely.exists(key)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> lonely.open(key, 0, 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void spreadsShardsByAHashBeforeTheName() {
    S3Keys keys = new S3Keys("a/b");
    String first = keys.of(key);
    String other = keys.of(segment(new ShardId("u1", 1), key.object()));
    assertThat(first).matches("a/b/[0-9a-f]{2}/segments/u1/0/2/" + key.object());
    assertThat(first.substring(0, 6)).isNotEqualTo(other.substring(0, 6));
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    S3Settings good = server.settings();
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new S3Settings(
                null, good.region(), "b", "/a", true, null, null, good.partBytes(), good.limits()))
        .withMessageContaining("slash");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new S3Settings(null, "r", "b", "", true, null, null, 1024, good.limits()))
        .withMessageContaining("parts");
    assertThat(good.credentials()).asString().doesNotContain("secret");
  }
}
