package io.varve.load.budget;

import io.varve.load.budget.StageRules.Frame;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Samples the CPU time of a running JVM with JDK Flight Recorder ({@code jdk.CPUTimeSample},
 * Linux), controlled by {@code jcmd}.
 */
public final class CpuSamples {

  private static final String RECORDING = "varve-budget";
  private static final String EVENT = "jdk.CPUTimeSample";
  private static final Duration SAMPLING_PERIOD = Duration.ofMillis(5);

  /** A period; samples outside of all periods are ignored. */
  public record Window(Instant from, Instant to) {
    boolean contains(Instant time) {
      return !time.isBefore(from) && time.isBefore(to);
    }
  }

  private CpuSamples() {}

  public static void start(long pid) throws IOException, InterruptedException {
    Jcmd.run(
        pid,
        "JFR.start",
        "name=" + RECORDING,
        "settings=none",
        "+" + EVENT + "#enabled=true",
        "+" + EVENT + "#throttle=" + SAMPLING_PERIOD.toMillis() + "ms");
  }

  public static void stop(long pid, Path file) throws IOException, InterruptedException {
    Jcmd.run(pid, "JFR.stop", "name=" + RECORDING, "filename=" + file);
  }

  /** The CPU time in nanoseconds that the samples of each stage represent. */
  public static Map<Stage, Long> byStage(Path recording, List<Window> windows) throws IOException {
    Map<Stage, Long> nanos = new EnumMap<>(Stage.class);
    forEach(
        recording,
        windows,
        (frames, period) -> nanos.merge(StageRules.stageOf(frames), period, Long::sum));
    return nanos;
  }

  /** The CPU time in nanoseconds of the innermost frames of one stage. */
  public static Map<String, Long> methodsOf(Path recording, List<Window> windows, Stage stage)
      throws IOException {
    Map<String, Long> nanos = new HashMap<>();
    forEach(
        recording,
        windows,
        (frames, period) -> {
          if (!frames.isEmpty() && StageRules.stageOf(frames) == stage) {
            Frame top = frames.getFirst();
            nanos.merge(top.type() + "." + top.method(), period, Long::sum);
          }
        });
    return nanos;
  }

  @FunctionalInterface
  private interface Listener {
    void sampled(List<Frame> frames, long periodNanos);
  }

  private static void forEach(Path recording, List<Window> windows, Listener listener)
      throws IOException {
    try (RecordingFile events = new RecordingFile(recording)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        if (event.getEventType().getName().equals(EVENT)
            && windows.stream().anyMatch(window -> window.contains(event.getStartTime()))) {
          listener.sampled(frames(event), event.getDuration("samplingPeriod").toNanos());
        }
      }
    }
  }

  private static List<Frame> frames(RecordedEvent event) {
    RecordedStackTrace stack = event.getStackTrace();
    if (stack == null) {
      return List.of();
    }
    List<Frame> frames = new ArrayList<>(stack.getFrames().size());
    for (RecordedFrame frame : stack.getFrames()) {
      frames.add(new Frame(frame.getMethod().getType().getName(), frame.getMethod().getName()));
    }
    return frames;
  }
}
