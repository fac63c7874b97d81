package io.varve.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestBodyTest {

  private static final int MAX_BYTES = 10_000_000;
  private static final long LIMIT_BYTES = 3_000_000;

  private long mostCharged;
  private boolean sampling;

  private final InFlightRequests inFlight =
      new InFlightRequests(
          () -> LIMIT_BYTES, () -> 1, ParentBreaker.ofAccounted(this::sampledLimitBytes));

  /** Evaluated after each charge, and by the statistics themselves. */
  private long sampledLimitBytes() {
    if (!sampling) {
      sampling = true;
      mostCharged = Math.max(mostCharged, (Long) charged());
      sampling = false;
    }
    return Long.MAX_VALUE;
  }

  /** Sends its body without a length. */
  private static MockHttpServletRequest chunked(int bytes) {
    MockHttpServletRequest request = sending(-1, bytes, false);
    request.setProtocol("HTTP/1.1");
    request.addHeader("Transfer-Encoding", "chunked");
    return request;
  }

  /**
   * Sends {@code sent} bytes of {@code x} and then ends, or fails like a client that is too slow.
   */
  private static MockHttpServletRequest sending(long announced, int sent, boolean slow) {
    return new MockHttpServletRequest() {
      @Override
      public long getContentLengthLong() {
        return announced;
      }

      @Override
      public ServletInputStream getInputStream() {
        return new Sending(sent, slow);
      }
    };
  }

  private static final class Sending extends ServletInputStream {

    private final boolean slow;
    private int left;

    Sending(int sent, boolean slow) {
      this.left = sent;
      this.slow = slow;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left == 0 && slow) {
        throw new IOException(new TimeoutException("the body came too slowly"));
      }
      int count = Math.min(length, left);
      Arrays.fill(into, offset, offset + count, (byte) 'x');
      left -= count;
      return count == 0 ? -1 : count;
    }

    @Override
    public boolean isFinished() {
      return left == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {}
  }

  private Object charged() {
    return ((Map<?, ?>) inFlight.stats().get("in_flight_requests")).get("estimated_size_in_bytes");
  }

  @Test
  void isReadWholeAndChargedByItsLength() throws IOException {
    for (int length : new int[] {1, 65_535, 65_536, 65_537, 262_145, 2_000_000}) {
      try (InFlightRequests.Account held = inFlight.open()) {
        RequestBody body = RequestBody.read(sending(length, length, false), MAX_BYTES, held);
        assertThat(body.bytes()).hasSize(length).containsOnly('x');
        assertThat(charged()).isEqualTo((long) length);
      }
    }
    assertThat(charged()).isEqualTo(0L);
  }

  @Test
  void isChargedAsItComesAndAnswered408WhenItComesTooSlowly() {
    InFlightRequests.Account held = inFlight.open();
    assertThatThrownBy(() -> RequestBody.read(sending(2_000_000, 1, true), MAX_BYTES, held))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(408))
        .hasMessageContaining("the body came too slowly");
    assertThat((Long) charged()).isBetween(1L, 65_536L);
  }

  /** Runs once before, because loading classes allocates too. */
  private static long allocatedBytes(ThrowingCallable work) throws Throwable {
    work.call();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.call();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @ParameterizedTest
  @ValueSource(ints = {300_000, 1_100_000, 2_000_000})
  void ofKnownLengthAllocatesAThirdMoreThanItsLength(int length) throws Throwable {
    long allocated =
        allocatedBytes(() -> {
          try (InFlightRequests.Account held = inFlight.open()) {
            RequestBody.read(sending(length, length, false), MAX_BYTES, held);
          }
        });
    assertThat(allocated).isBetween((long) length, length * 4L / 3 + 32_768);
  }

  @ParameterizedTest
  @ValueSource(ints = {300_000, 1_100_000, 1_300_000})
  void ofUnknownLengthIsCopiedOnceAndChargedWithItsCopy(int length) throws Throwable {
    mostCharged = 0;
    long allocated =
        allocatedBytes(() -> {
          try (InFlightRequests.Account held = inFlight.open()) {
            RequestBody body = RequestBody.read(chunked(length), MAX_BYTES, held);
            assertThat(body.bytes()).hasSize(length);
            assertThat(charged()).isEqualTo((long) length);
          }
        });
    assertThat(allocated).isLessThan(length * 9L / 4 + 65_536);
    assertThat(mostCharged).isBetween(2L * length, length * 9L / 4 + 16_384);
    assertThat(charged()).isEqualTo(0L);
  }

  @Test
  void theCopyOfABodyIsNotChargedBesideTheOverheadThatExceedsIt() throws IOException {
    InFlightRequests doubled =
        new InFlightRequests(
            () -> 4_000_000, () -> 2, ParentBreaker.ofAccounted(() -> Long.MAX_VALUE));
    try (InFlightRequests.Account held = doubled.open()) {
      RequestBody body = RequestBody.read(sending(2_000_000, 2_000_000, false), MAX_BYTES, held);
      assertThat(body.bytes()).hasSize(2_000_000);
    }
  }

  @Test
  void isRefusedOnceItExceedsTheLengthThatIsAllowed() {
    assertThatThrownBy(() -> RequestBody.read(chunked(100_001), 100_000, inFlight.open()))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(413));
  }

  @Test
  void aConvertedBodyIsChargedInPlaceOfTheOriginal() throws IOException {
    byte[] text = "{\"k\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1);
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.setContentType("application/json; charset=ISO-8859-1");
    request.setContent(text);
    try (InFlightRequests.Account held = inFlight.open()) {
      RequestBody body = RequestBody.read(request, MAX_BYTES, held);
      mostCharged = 0;
      byte[] json = body.asJson(held).bytes();
      assertThat(json).hasSize(text.length + 1);
      assertThat(mostCharged).isGreaterThanOrEqualTo(text.length + json.length);
      assertThat(charged()).isEqualTo((long) json.length);
    }
    assertThat(charged()).isEqualTo(0L);
  }

  @Test
  void aBinaryBodyIsChargedWithItsJsonWhileThatIsWritten() throws IOException {
    byte[] cbor = BodyFormat.CBOR.ofJson("{\"k\":[1,2,3]}".getBytes(StandardCharsets.UTF_8));
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.setContentType("application/cbor");
    request.setContent(cbor);
    try (InFlightRequests.Account held = inFlight.open()) {
      RequestBody body = RequestBody.read(request, MAX_BYTES, held);
      mostCharged = 0;
      byte[] json = body.asJson(held).bytes();
      assertThat(json).asString(StandardCharsets.UTF_8).isEqualTo("{\"k\":[1,2,3]}");
      assertThat(mostCharged).isGreaterThanOrEqualTo(cbor.length + json.length);
      assertThat(charged()).isEqualTo((long) json.length);
    }
  }

  @Test
  void isRefusedBeforeItsFirstByteWhenItDoesNotFit() {
    InFlightRequests.Account held = inFlight.open();
    assertThatThrownBy(() -> RequestBody.read(sending(LIMIT_BYTES + 1, 0, true), MAX_BYTES, held))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(429));
    assertThat(charged()).isEqualTo(0L);
  }

  @Test
  void isRefusedWhenItEndsEarly() {
    assertThatThrownBy(() -> RequestBody.read(sending(10, 9, false), MAX_BYTES, inFlight.open()))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(400));
  }

  @Test
  void endsTheConnectionWhenWhatIsLeftComesTooSlowly() throws IOException {
    assertThat(RequestBody.readToEnd(sending(10, 5, true))).isFalse();
    assertThat(RequestBody.readToEnd(sending(10, 10, false))).isTrue();
  }
}
