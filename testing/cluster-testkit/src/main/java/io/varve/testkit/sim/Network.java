package io.varve.testkit.sim;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** Links between processes and to the log. A link can be cut, and any message can be lost. */
final class Network {

  /** The name of the message log as an end of a link. */
  static final String LOG = "log";

  /** The name of the brokers that lead the cluster's own topics, as an end of a link. */
  static final String CLUSTER_TOPICS = "cluster topics";

  /** The brokers of the cluster that is followed, as an end of a link. */
  static final String REMOTE = "remote";

  private static final long TIMEOUT_MICROS = 150_000;

  /** Answers a call now or later, at most once. */
  @FunctionalInterface
  interface Handler<R> {
    void handle(Consumer<R> reply);
  }

  private final Random random;
  private final Set<String> cuts = new HashSet<>();
  private double lossRate;

  Network(Random random) {
    this.random = random;
  }

  void lossRate(double rate) {
    lossRate = rate;
  }

  void cut(String a, String b) {
    cuts.add(link(a, b));
  }

  void heal(String a, String b) {
    cuts.remove(link(a, b));
  }

  void healAll() {
    cuts.clear();
    lossRate = 0;
  }

  boolean connected(String a, String b) {
    return cuts.isEmpty() || !cuts.contains(link(a, b));
  }

  private static String link(String a, String b) {
    return a.compareTo(b) < 0 ? a + "|" + b : b + "|" + a;
  }

  long latencyMicros() {
    return 200L + random.nextInt(random.nextInt(20) == 0 ? 20_000 : 1_500);
  }

  /** Sends one message without an answer. */
  void send(SimProcess from, SimProcess to, Runnable arrival) {
    if (connected(from.name(), to.name()) && !lost()) {
      to.receive(latencyMicros(), arrival);
    }
  }

  /**
   * A call with an answer. Exactly one of {@code onReply} and {@code onTimeout} runs, unless the
   * caller's process ends first. The request may be handled even if the caller has stopped waiting.
   */
  <R> void call(
      SimProcess from, SimProcess to, Handler<R> handler, Consumer<R> onReply, Runnable onTimeout) {
    call(from, to, handler, onReply, onTimeout, TIMEOUT_MICROS);
  }

  /** A call that waits that long for its answer. */
  <R> void call(
      SimProcess from,
      SimProcess to,
      Handler<R> handler,
      Consumer<R> onReply,
      Runnable onTimeout,
      long timeoutMicros) {
    boolean[] done = {false};
    long caller = from.incarnation();
    send(
        from,
        to,
        () ->
            handler.handle(answer -> {
              if (from.incarnation() == caller) {
                send(
                    to,
                    from,
                    () -> {
                      if (!done[0] && from.incarnation() == caller) {
                        done[0] = true;
                        onReply.accept(answer);
                      }
                    });
              }
            }));
    from.after(
        timeoutMicros,
        () -> {
          if (!done[0]) {
            done[0] = true;
            onTimeout.run();
          }
        });
  }

  private boolean lost() {
    return lossRate > 0 && random.nextDouble() < lossRate;
  }
}
