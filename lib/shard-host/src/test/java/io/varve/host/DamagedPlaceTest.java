package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Damage of files that a copy meets while it is open, while it closes, or after that. */
class DamagedPlaceTest extends HostedCopyWorld {

  @Test
  void damageIsMarkedAtOnceAndVerifiedByWhoeverOpensTheFolderNext() throws IOException {
    hosted.want(REPORTED);
    hosted.start();
    ShardCopy first = awaitOpened(1);
    Files.write(segments.resolve("segments_1"), new byte[40]);

    hosted.damaged(first, "a block");
    assertThat(segments.resolve("suspect")).exists();
    hosted.want(ANEW);

    awaitOpened(2);
    assertThat(segments).isEmptyDirectory();
  }

  @Test
  void damageThatAClosedCopyHasReadIsNotForgotten() throws Exception {
    hosted.want(REPORTED);
    hosted.start();
    ShardCopy first = awaitOpened(1);
    hosted.want(new Goal.Nothing(false));
    assertThat(hosted.awaitEnd(LONG)).isTrue();

    hosted.damaged(first, "a block");

    assertThat(segments.resolve("suspect")).exists();
  }

  @Test
  void aFolderThatCanNotBeMarkedIsVerifiedAllTheSame() throws IOException {
    hosted.want(REPORTED);
    hosted.start();
    ShardCopy first = awaitOpened(1);
    Files.write(segments.resolve("segments_1"), new byte[40]);
    Files.createSymbolicLink(segments.resolve("suspect"), folder.resolve("no/such/place"));

    hosted.damaged(first, "a block");
    hosted.want(ANEW);

    awaitOpened(2);
    assertThat(segments).isEmptyDirectory();
  }

  @Test
  void aReasonForWhichEveryFileWasFoundGoodGivesNoCopyUpAgain() {
    hosted.want(REPORTED);
    hosted.start();
    hosted.damaged(awaitOpened(1), "a block");
    await().atMost(LONG).until(() -> leader.failed.get() > 0);
    hosted.want(ANEW);
    ShardCopy second = awaitOpened(2);
    int heard = leader.failed.get();

    hosted.damaged(second, "a block");
    assertThat(segments.resolve("suspect")).doesNotExist();
    assertThat(leader.failed.get()).isEqualTo(heard);
    assertThat(hosted.copy()).containsSame(second);

    hosted.damaged(second, "another block");
    await().atMost(LONG).until(() -> leader.failed.get() > heard);
    assertThat(segments.resolve("suspect")).exists();
    assertThat(hosted.copy()).isEmpty();
  }

  @Test
  void aCopyThatFailedForDamageIsGivenUpAndNotOpenedAgain() {
    hosted.want(REPORTED);
    hosted.start();
    awaitOpened(1);

    damage = Optional.of("a block");
    state = ShardCopy.State.FAILED;
    hosted.broken("a merge");

    await().atMost(LONG).until(() -> leader.failed.get() > 0);
    assertThat(segments.resolve("suspect")).hasContent("a block");
    assertThat(opened.get()).isEqualTo(1);
  }

  @Test
  void damageThatIsMetWhileACopyClosesMarksItsFolder() throws Exception {
    hosted.want(REPORTED);
    hosted.start();
    awaitOpened(1);

    damage = Optional.of("a block");
    hosted.want(new Goal.Nothing(false));

    assertThat(hosted.awaitEnd(LONG)).isTrue();
    assertThat(segments.resolve("suspect")).hasContent("a block");
  }
}
