package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.events.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that a follower has the mapping of its leader index, as soon as its copies can apply it.
 */
class FollowerMappingTest extends FollowerMetadataWorld {

  @Test
  void aMappingWaitsUntilAllCopiesHaveTheStaticSettingsThatItNeeds() {
    follow();
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");
    mappingAtLeader(
        2,
        "{\"dynamic\":\"strict\",\"properties\":{\"title\":{\"type\":\"text\","
            + "\"analyzer\":\"whole\"}}}");
    synchronize();
    assertThat(copy().mapping()).isEqualTo("{}");
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isZero();

    reopenCopies();
    synchronize();

    assertThat(Json.mapper().readTree(copy().mapping()))
        .isEqualTo(Json.mapper().readTree(leaders.indices().get("books").mapping()));
    assertThat(copy().mappingVersion()).isEqualTo(2);
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isEqualTo(2);
  }

  @Test
  void aMappingThatNeedsNoNewStaticSettingDoesNotWaitForCopies() {
    follow();
    atLeader("index.analysis.analyzer.whole.tokenizer", "keyword");
    synchronize();
    assertThat(copy().follow().currentStatus().copiesToReopen()).isNotEmpty();

    mappingAtLeader(2, "{\"properties\":{\"year\":{\"type\":\"integer\"}}}");
    synchronize();

    assertThat(copy().mapping()).contains("year");
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isEqualTo(2);
    assertThat(copy().follow().currentStatus().copiesToReopen()).isNotEmpty();

    atLeader("index.analysis.analyzer.other.tokenizer", "keyword");
    synchronize();
    mappingAtLeader(
        3, "{\"properties\":{\"year\":{\"type\":\"integer\"},\"name\":{\"type\":\"keyword\"}}}");
    synchronize();
    assertThat(copy().follow().currentStatus().leaderMappingVersion())
        .as("copies are open with two kinds of former settings")
        .isEqualTo(2);

    reopenCopies();
    synchronize();
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isEqualTo(3);
    assertThat(copy().follow().currentStatus().formerSettings()).isNull();
  }

  @Test
  void everyRootParameterOfTheMappingIsTakenOver() {
    follow();
    own =
        own.apply(
            new ClusterEvent.MappingChanged(
                "copy-uuid",
                2,
                "{\"date_detection\":false,\"_routing\":{\"required\":true},\"_meta\":{\"a\":1}}"));
    mappingAtLeader(
        5,
        """
        {"dynamic":"false","date_detection":false,"numeric_detection":true,
         "dynamic_date_formats":["yyyy/MM/dd"],
         "dynamic_templates":[{"s":{"match_mapping_type":"string","mapping":{"type":"keyword"}}}],
         "_routing":{"required":true},"_meta":{"owner":"eu"},
         "properties":{"title":{"type":"text"}}}
        """);
    synchronize();

    assertThat(Json.mapper().readTree(copy().mapping()))
        .isEqualTo(Json.mapper().readTree(leaders.indices().get("books").mapping()));
    assertThat(copy().follow().currentStatus().leaderMappingVersion()).isEqualTo(5);

    String defaults =
        "{\"_routing\":{\"required\":true},\"properties\":{\"title\":{\"type\":\"text\"}}}";
    mappingAtLeader(6, defaults);
    synchronize();

    assertThat(Json.mapper().readTree(copy().mapping()))
        .as("parameters with their default values again")
        .isEqualTo(Json.mapper().readTree(defaults));
  }

  @Test
  void fieldsThatWereDerivedHereBeforeStay() {
    follow();
    own = own.apply(new ClusterEvent.MappingChanged("copy-uuid", 2, TITLE));
    mappingAtLeader(5, "{\"properties\":{\"pages\":{\"type\":\"long\"}}}");
    synchronize();

    assertThat(copy().mapping()).contains("title").contains("pages");
  }

  @Test
  void aFollowerThatCannotTakeItsLeadersMappingIsStoppedWithTheReason() {
    follow();
    atLeader("index.max_ngram_diff", "3");
    mappingAtLeader(2, "{\"properties\":{\"a\":{\"type\":\"of_a_newer_release\"}}}");
    synchronize();
    assertThat(copy().settings()).containsEntry("index.max_ngram_diff", "3");
    assertThat(copy().mapping()).isEqualTo("{}");

    assertThat(FollowerMetadata.stops(own, "eu", leaders, Map.of()))
        .singleElement()
        .satisfies(stop -> {
          assertThat(stop.indexUuid()).isEqualTo("copy-uuid");
          assertThat(stop.reason()).contains("version 2").contains("of_a_newer_release");
        });
  }

  @Test
  void anOutdatedStateOfTheLeaderTakesNoFieldAway() {
    follow();
    mappingAtLeader(3, TITLE);
    synchronize();
    mappingAtLeader(2, "{\"properties\":{\"former\":{\"type\":\"long\"}}}");

    assertThat(synchronize()).isEmpty();
    assertThat(copy().mapping()).isEqualTo(TITLE);
  }
}
