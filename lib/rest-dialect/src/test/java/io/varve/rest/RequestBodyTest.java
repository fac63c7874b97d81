package io.varve.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestBodyTest {

  private static final int MAX_BYTES = 10_000_000;
  private static final long LIMIT_BYTES = 3_000_000;

  private final InFlightRequests inFlight =
      new InFlightRequests(
          () -> LIMIT_BYTES, () -> 1, ParentBreaker.ofAccounted(() -> Long.MAX_VALUE));

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
    assertThat(charged()).isEqualTo(65_536L);
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
