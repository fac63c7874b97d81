package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The console in a real browser, on a cluster of processes. */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class ConsoleTest {

  private static final String SHARD = "shard-service-1";
  private static final String REPLICA = "replication-service-1";

  /** Where screenshots are written; empty for none. */
  private static final String SCREENSHOTS = System.getProperty("console.screenshots", "");

  private RunningCluster cluster;
  private Browser browser;

  @BeforeEach
  void open(RunningCluster shared) throws Exception {
    cluster = shared;
    cluster.awaitGreen();
    browser = Browser.start();
    browser.open(cluster.url("coordinator-1") + "/_console/");
  }

  @AfterEach
  void close() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  private TestIndex index(String name) throws Exception {
    TestIndex index = new TestIndex(cluster.rest(), name);
    index
        .call("PUT", "", "{\"settings\":{\"number_of_replicas\":1,\"refresh_interval\":\"-1\"}}")
        .orThrow();
    index.awaitGreen();
    return index;
  }

  @Test
  void showsEachCopyOnItsNodeAndHowFarItIs() throws Exception {
    TestIndex index = index("pictured");
    index.index(0, 50);
    index.refresh();

    browser
        .awaitText("#connection", "live")
        .awaitText("#grid tbody tr:has-text('pictured') .copy.primary", "primary\\s+seq_no 49")
        .awaitText("#grid tbody tr:has-text('pictured') .copy.replica", "replica\\s+seq_no 49")
        .awaitText("#grid thead th", "coordinator|" + SHARD)
        .awaitText("#summary", "green, \\d+ nodes, state version \\d+, led by coordinator-1");
    screenshot("copies");

    browser.fill("#filter", "no such index").awaitText("#grid", "No index has such a name");
    browser.fill("#filter", "PICT").awaitText("#grid", "pictured");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aFrozenReplicaIsShownAsSilentUntilItIsBack() throws Exception {
    TestIndex index = index("frozen-replica");
    index.index(0, 10);
    index.refresh();
    browser.awaitText("tr:has-text('frozen-replica') .copy.replica", "seq_no 9");

    cluster.freeze(REPLICA);
    try {
      browser
          .awaitText("tr:has-text('frozen-replica') .copy.replica.stale", "silent at seq_no 9")
          .awaitText("#grid thead th", REPLICA + "[^]*heartbeat is overdue");
      browser.click("nav a[href='#nodes']").awaitText("#node-table tr.gone", REPLICA);
      screenshot("nodes-frozen");
    } finally {
      cluster.thaw(REPLICA);
    }
    browser
        .awaitNoText("#node-table tr.gone", REPLICA)
        .click("nav a[href='#copies']")
        .awaitNoText("tr:has-text('frozen-replica') .copy.replica.stale", "silent");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aLostPrimaryIsSucceededByItsReplica() throws Exception {
    TestIndex index = index("lost-primary");
    index
        .call("PUT", "/_settings", "{\"index.unassigned.node_left.delayed_timeout\":\"0s\"}")
        .orThrow();
    index.index(0, 10);
    index.refresh();
    browser.awaitText("tr:has-text('lost-primary') .copy.primary", "seq_no 9");
    String before = browser.text("tr:has-text('lost-primary') th .roles");

    cluster.freeze(SHARD);
    try {
      cluster.leaves(SHARD);
      browser
          .awaitNoText("tr:has-text('lost-primary') th .roles", before.strip() + "$")
          .awaitText("tr:has-text('lost-primary')", "yellow")
          .awaitText("tr:has-text('lost-primary') td:last-child .copy.unassigned", "NODE_LEFT");
      screenshot("lost-primary");
    } finally {
      cluster.thaw(SHARD);
    }
    browser.awaitText("tr:has-text('lost-primary') th", "green");
  }

  @Test
  void markupInDocumentsIsShownAsText() throws Exception {
    TestIndex index = index("markup");
    String markup = "<img src=x onerror=alert(1)><script>alert(2)</script>\\\"'&";
    index.call("PUT", "/_doc/1?refresh=true", "{\"t\":\"" + markup + "\"}").orThrow();

    browser
        .click("nav a[href='#query']")
        .select("#method", "POST")
        .fill("#path", "/markup/_search?<b>")
        .fill("#body", "{\"query\":{\"match_all\":{}}}")
        .press("Control+Enter")
        .awaitText("#answered", "400")
        .awaitText("#response", "<b>")
        .fill("#path", "/markup/_search")
        .press("Control+Enter")
        .awaitText("#answered", "200 in")
        .awaitText("#response", "<img src=x onerror=alert\\(1\\)><script>");

    assertThat(browser.count("#response *")).isZero();
    assertThat(browser.count("#history li")).isEqualTo(2);
    assertThat(browser.text("#history li button")).contains("POST /markup/_search {\"query\"");
    screenshot("query");
    browser.fill("#path", "/other").click("#history li button").awaitText("#history", "markup");
    // A refused request is an error on the console of the browser.
    assertThat(browser.complaints()).allMatch(text -> text.contains("400"));
  }

  @Test
  void isUsedByKeyboardAlone() throws Exception {
    browser.awaitText("#connection", "live");
    browser.press("Tab");
    assertThat(browser.focused()).isEqualTo("Skip to content");
    browser.press("Tab");
    assertThat(browser.focused()).isEqualTo("Theme: system");
    browser.press("Enter").awaitText("#theme", "Theme: light");
    browser.press("Tab").press("Tab");
    assertThat(browser.focused()).isEqualTo("Nodes");
    browser.press("Enter").awaitText("#node-table caption", "nodes");
    browser.press("Tab");
    assertThat(browser.focused()).as("the content of the view follows").contains(SHARD);
    browser.press("Shift+Tab");
    assertThat(browser.focused()).isEqualTo("Query");
    browser.press("Enter").awaitText("#query h2", "Query");
    browser.press("Tab").press("Tab").press("Control+Enter").awaitText("#answered", "200 in");
    assertThat(browser.complaints()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void isAccessible(String theme) throws Exception {
    index("accessible-" + theme);
    browser.theme(theme).awaitText("#grid", "accessible-" + theme);
    for (String view : new String[] {"copies", "nodes", "followers", "tasks", "query"}) {
      browser.click("nav a[href='#" + view + "']").awaitText("#" + view + " h2", "\\w");
      assertThat(browser.violations()).as(view).isEmpty();
      screenshot(view + "-" + theme);
    }
  }

  private void screenshot(String name) throws Exception {
    if (!SCREENSHOTS.isEmpty()) {
      browser.screenshot(Path.of(SCREENSHOTS, name + ".png"));
    }
  }
}
