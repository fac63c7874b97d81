package io.varve.load;

import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of the part {@code membership} of {@code bench copies}. */
final class MembershipOptions {

  @Spec(Target.MIXEE)
  private CommandSpec command;

  private Duration duration = Duration.ZERO;
  private Duration pauseInterval = Duration.ZERO;
  private Duration pause = Duration.ZERO;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "60",
      description = "minutes of the part membership (default: ${DEFAULT-VALUE})")
  void minutes(int minutes) {
    duration = Duration.ofMinutes(positive("--minutes", minutes));
  }

  @Option(
      names = "--pause-interval-seconds",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "seconds from the start of a pause of a process to the next one (default:"
              + " ${DEFAULT-VALUE})")
  void pauseIntervalSeconds(int seconds) {
    pauseInterval = Duration.ofSeconds(positive("--pause-interval-seconds", seconds));
  }

  @Option(
      names = "--pause-millis",
      paramLabel = "N",
      defaultValue = "1500",
      description = "duration of such a pause in milliseconds (default: ${DEFAULT-VALUE})")
  void pauseMillis(int millis) {
    pause = Duration.ofMillis(positive("--pause-millis", millis));
  }

  private int positive(String option, int value) {
    if (value < 1) {
      throw new ParameterException(command.commandLine(), option + " must be >= 1, was " + value);
    }
    return value;
  }

  Duration duration() {
    return duration;
  }

  /** From the start of a pause to the start of the next one. */
  Duration pauseInterval() {
    return pauseInterval;
  }

  Duration pause() {
    return pause;
  }
}
