package io.varve.http;

import static io.varve.http.Verdict.ANSWER;
import static io.varve.http.Verdict.BODY;
import static io.varve.http.Verdict.HEADERS;
import static io.varve.http.Verdict.IDLE;
import static io.varve.http.Verdict.KEEP;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Times are in seconds. The limits are: headers within 10 s, a grace period of 30 s, then 100 bytes
 * per second.
 */
class WatchedConnectionTest {

  private static final long SECOND = 1_000_000_000L;
  private static final ClientPace PACE = new ClientPace(10 * SECOND, 30 * SECOND, 100);

  private final WatchedConnection connection = new WatchedConnection(0);
  private final Exchange exchange = new Exchange(_ -> {});

  @Test
  void isKeptWhileIdleUnlessConnectionsAreScarce() {
    assertThat(judge(1_000, 0)).isEqualTo(KEEP);
    assertThat(connection.judge(30 * SECOND, 0, PACE, true)).isEqualTo(KEEP);
    assertThat(connection.judge(31 * SECOND, 0, PACE, true)).isEqualTo(IDLE);
  }

  @Test
  void isIdleAnewAfterEachAnswer() {
    connection.begin(exchange);
    connection.end(exchange, 100 * SECOND, 80);
    assertThat(connection.judge(130 * SECOND, 80, PACE, true)).isEqualTo(KEEP);
    assertThat(connection.judge(131 * SECOND, 80, PACE, true)).isEqualTo(IDLE);
  }

  @Test
  void endsWhenHeadersDoNot() {
    assertThat(judge(100, 0)).isEqualTo(KEEP);
    assertThat(judge(101, 5)).isEqualTo(KEEP);
    assertThat(judge(111, 900)).as("bytes do not renew the limit").isEqualTo(KEEP);
    assertThat(judge(112, 901)).isEqualTo(HEADERS);
    assertThat(judge(113, 901)).as("said once").isEqualTo(KEEP);
  }

  @Test
  void countsTheHeadersOfALaterRequestFromItsFirstByte() {
    judge(1, 5);
    connection.begin(exchange);
    connection.end(exchange, 50 * SECOND, 80);
    assertThat(judge(60, 80)).isEqualTo(KEEP);
    assertThat(judge(61, 81)).isEqualTo(KEEP);
    assertThat(judge(71, 82)).isEqualTo(KEEP);
    assertThat(judge(72, 83)).isEqualTo(HEADERS);
  }

  @Test
  void endsABodyThatComesMoreSlowlyThanTheRateAfterTheGrace() {
    connection.begin(exchange);
    exchange.awaitsBody(0);
    assertThat(judge(30, 1)).isEqualTo(KEEP);
    exchange.bodyCame(30 * SECOND);
    exchange.read(1_000);
    exchange.awaitsBody(30 * SECOND);
    assertThat(judge(40, 1)).isEqualTo(KEEP);
    assertThat(judge(41, 1)).isEqualTo(BODY);
  }

  @Test
  void doesNotCountTheTimeThatTheServerTakes() {
    connection.begin(exchange);
    exchange.awaitsBody(0);
    exchange.bodyCame(29 * SECOND);
    assertThat(judge(1_000, 1)).as("the server is at work").isEqualTo(KEEP);
    exchange.awaitsBody(1_000 * SECOND);
    assertThat(judge(1_001, 1)).isEqualTo(KEEP);
    assertThat(judge(1_002, 1)).isEqualTo(BODY);
  }

  @Test
  void endsAnAnswerThatIsTakenMoreSlowlyThanTheRateAfterTheGrace() {
    connection.begin(exchange);
    exchange.sends(2_000, 0);
    assertThat(judge(50, 1)).isEqualTo(KEEP);
    assertThat(judge(51, 1)).isEqualTo(ANSWER);
  }

  @Test
  void ignoresTheEndOfAnExchangeOnceTheNextHasBegun() {
    Exchange later = new Exchange(_ -> {});
    connection.begin(exchange);
    connection.begin(later);
    connection.end(exchange, SECOND, 80);
    assertThat(connection.exchange()).isSameAs(later);
  }

  @Test
  void knowsNoLeastRateWhenItIsZero() {
    ClientPace any = new ClientPace(10 * SECOND, 30 * SECOND, 0);
    assertThat(any.tooSlow(Long.MAX_VALUE, 0)).isFalse();
  }

  private Verdict judge(long second, long bytesIn) {
    return connection.judge(second * SECOND, bytesIn, PACE, false);
  }
}
