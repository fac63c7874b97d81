package io.varve.control;

import static io.varve.control.AddressProbe.Outcome.ACCEPTED;
import static io.varve.control.AddressProbe.Outcome.REFUSED;
import static io.varve.control.AddressProbe.Outcome.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.cluster.Clusters;
import io.varve.cluster.NodeInfo;
import io.varve.control.AddressProbe.Outcome;
import io.varve.control.FaultDetection.Cause;
import io.varve.control.FaultDetection.Suspect;
import io.varve.control.FaultDetection.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Heartbeats every 500 ms: silent after 1000 ms, probes at least 200 ms apart. */
class FaultDetectionTest {

  private static final NodeInfo NODE = Clusters.node("p", "primary");
  private static final NodeInfo RESTARTED =
      new NodeInfo("p", "p", "p-2", Set.of("primary"), "http://p");

  private final FaultDetection faults = new FaultDetection(new FaultDetection.Limits(1_000, 200));

  private Suspect reported(long nowMillis) {
    return faults.disconnected(NODE, nowMillis).orElseThrow();
  }

  private Verdict probed(Suspect suspect, Outcome outcome, long heardMillis, long nowMillis) {
    return faults.probed(suspect, outcome, NODE, heard(heardMillis, nowMillis), nowMillis);
  }

  private static NodeSigns.Heard heard(long lastMillis, long nowMillis) {
    return new NodeSigns.Heard(lastMillis, nowMillis - lastMillis);
  }

  private List<Suspect> tick(long heardMillis, long nowMillis) {
    return faults.silent(List.of(NODE), _ -> nowMillis - heardMillis, nowMillis);
  }

  @Test
  void removesAProcessWhoseAddressRefusesTwiceAndWhoseHeartbeatsStopped() {
    Suspect suspect = reported(10_100);
    assertThat(suspect).isEqualTo(new Suspect(NODE, Cause.DISCONNECTED, 10_100, 200));

    assertThat(probed(suspect, REFUSED, 10_000, 10_101)).isEqualTo(new Verdict.Again(899));
    assertThat(probed(suspect, REFUSED, 10_000, 11_000)).isEqualTo(new Verdict.Removed(1_000));
    assertThat(probed(suspect, REFUSED, 10_000, 11_001)).isEqualTo(new Verdict.Outdated());
  }

  @ParameterizedTest
  @CsvSource({
    // heard, first probe, its verdict, second probe, its verdict
    "10000, 10100, Again[delayMillis=900], 11000, Removed[silentMillis=1000]",
    "10000, 10900, Again[delayMillis=200], 11100, Removed[silentMillis=1100]",
    // One refusal is not enough, however long the silence.
    " 5000, 10100, Again[delayMillis=200], 10300, Removed[silentMillis=5300]",
    "10000, 10100, Again[delayMillis=900], 10999, Again[delayMillis=200]",
  })
  void probesAgainWhenTheRuleMayHold(
      long heardMillis, long firstMillis, String first, long secondMillis, String second) {
    Suspect suspect = reported(10_100);
    assertThat(probed(suspect, REFUSED, heardMillis, firstMillis)).hasToString(first);
    assertThat(probed(suspect, REFUSED, heardMillis, secondMillis)).hasToString(second);
  }

  @Test
  void aSuspendedProcessIsNotRemovedHoweverLongItIsSilent() {
    for (long now = 11_000; now < 600_000; now += 500) {
      tick(10_000, now)
          .forEach(suspect ->
              assertThat(probed(suspect, ACCEPTED, 10_000, 0))
                  .isEqualTo(new Verdict.Trusted("its address accepts connections")));
    }
  }

  @Test
  void aSilentProcessIsProbedEachTimeItsSilenceDoubles() {
    assertThat(tick(10_000, 10_999)).isEmpty();
    List<Suspect> silent = tick(10_000, 11_000);
    assertThat(silent).containsExactly(new Suspect(NODE, Cause.SILENT, 11_000, 0));
    assertThat(tick(10_000, 11_500)).as("it is suspected already").isEmpty();
    probed(silent.getFirst(), ACCEPTED, 10_000, 11_500);

    assertThat(tick(10_000, 11_999)).isEmpty();
    List<Suspect> again = tick(10_000, 12_000);
    assertThat(again).hasSize(1);
    probed(again.getFirst(), ACCEPTED, 10_000, 12_000);
    assertThat(tick(10_000, 13_999)).isEmpty();
    assertThat(tick(13_900, 14_000)).as("a heartbeat arrived").isEmpty();
    assertThat(tick(13_900, 14_900)).as("from the beginning").hasSize(1);
  }

  @Test
  void aProcessThatAcceptsBetweenTwoRefusalsIsTrusted() {
    Suspect suspect = reported(10_100);
    probed(suspect, REFUSED, 10_000, 10_100);
    assertThat(probed(suspect, ACCEPTED, 10_000, 11_000)).isInstanceOf(Verdict.Trusted.class);
    assertThat(probed(suspect, REFUSED, 10_000, 11_200)).isEqualTo(new Verdict.Outdated());

    Suspect silent = tick(10_000, 12_000).getFirst();
    assertThat(probed(silent, REFUSED, 10_000, 12_000))
        .as("refusals of an earlier suspicion do not count")
        .isEqualTo(new Verdict.Again(200));
  }

  @Test
  void aLinkThatIsCutIsNoSign() {
    Suspect suspect = reported(10_100);
    probed(suspect, REFUSED, 10_000, 10_100);
    assertThat(probed(suspect, UNKNOWN, 10_000, 20_000)).isInstanceOf(Verdict.Trusted.class);
  }

  @Test
  void aProcessWhosePortIsBlockedForTheLeaderStaysWhileItsHeartbeatsArrive() {
    Suspect suspect = reported(10_100);
    assertThat(probed(suspect, REFUSED, 10_000, 10_100)).isEqualTo(new Verdict.Again(900));
    assertThat(probed(suspect, REFUSED, 11_000, 11_000))
        .as("this heartbeat may have been on its way")
        .isEqualTo(new Verdict.Again(1_000));
    assertThat(probed(suspect, REFUSED, 12_000, 12_000))
        .isEqualTo(
            new Verdict.Trusted("it sends heartbeats although its address refuses connections"));

    assertThat(faults.disconnected(NODE, 21_999)).as("reports are ignored").isEmpty();
    assertThat(faults.disconnected(NODE, 22_000)).isPresent();
  }

  @Test
  void aProcessWhosePortIsBlockedIsRemovedOnceItIsSilent() {
    Suspect suspect = reported(10_100);
    probed(suspect, REFUSED, 10_000, 10_100);
    probed(suspect, REFUSED, 12_000, 12_000);

    Suspect silent = tick(12_500, 13_500).getFirst();
    assertThat(probed(silent, REFUSED, 12_500, 13_500)).isEqualTo(new Verdict.Again(200));
    assertThat(probed(silent, REFUSED, 12_500, 13_700)).isEqualTo(new Verdict.Removed(1_200));
  }

  @Test
  void aHeartbeatOfTheEndedProcessThatArrivesLateDelaysItsRemoval() {
    Suspect suspect = reported(10_100);
    probed(suspect, REFUSED, 10_000, 10_100);
    assertThat(probed(suspect, REFUSED, 10_400, 11_000)).isEqualTo(new Verdict.Again(400));
    assertThat(probed(suspect, REFUSED, 10_400, 11_400)).isEqualTo(new Verdict.Removed(1_000));
  }

  @Test
  void whileTheLogDeliversNothingAnEndedProcessStaysSuspected() {
    Suspect suspect = reported(10_100);
    for (long now = 10_100; now < 60_000; now += 1_000) {
      assertThat(faults.probed(suspect, REFUSED, NODE, new NodeSigns.Heard(10_000, 100), now))
          .isEqualTo(new Verdict.Again(900));
    }
    assertThat(faults.probed(suspect, REFUSED, NODE, new NodeSigns.Heard(10_000, 1_000), 61_000))
        .isEqualTo(new Verdict.Removed(1_000));
  }

  @Test
  void aSuspicionEndsWhenAnotherProcessOfTheNodeJoined() {
    Suspect suspect = reported(10_100);
    probed(suspect, REFUSED, 10_000, 10_100);
    assertThat(faults.probed(suspect, REFUSED, RESTARTED, heard(10_900, 11_000), 11_000))
        .isEqualTo(new Verdict.Outdated());

    Suspect ofTheNewOne = faults.disconnected(RESTARTED, 11_000).orElseThrow();
    assertThat(faults.probed(suspect, REFUSED, RESTARTED, heard(10_900, 12_500), 12_500))
        .as("a late outcome of the former process")
        .isEqualTo(new Verdict.Outdated());
    assertThat(faults.probed(ofTheNewOne, REFUSED, RESTARTED, heard(10_900, 12_500), 12_500))
        .as("nothing of the former process counts")
        .isEqualTo(new Verdict.Again(200));
  }

  @Test
  void aSuspicionEndsWhenTheNodeHasLeft() {
    Suspect suspect = reported(10_100);
    assertThat(faults.probed(suspect, REFUSED, null, heard(10_000, 12_000), 12_000))
        .isEqualTo(new Verdict.Outdated());

    Suspect second = reported(20_000);
    assertThat(faults.silent(List.of(), _ -> 0, 20_100)).isEmpty();
    assertThat(probed(second, REFUSED, 10_000, 20_200)).isEqualTo(new Verdict.Outdated());
  }

  @Test
  void aProcessIsSuspectedOnceHoweverManyReportsArrive() {
    Suspect suspect = reported(10_100);
    assertThat(faults.disconnected(NODE, 10_101)).isEqualTo(Optional.empty());
    faults.forget();
    assertThat(probed(suspect, REFUSED, 0, 20_000)).isEqualTo(new Verdict.Outdated());
    assertThat(faults.disconnected(NODE, 20_000)).isPresent();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "-1, 1"})
  void limitsArePositive(long silenceMillis, long probeIntervalMillis) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FaultDetection.Limits(silenceMillis, probeIntervalMillis));
  }
}
