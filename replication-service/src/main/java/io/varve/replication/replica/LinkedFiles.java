package io.varve.replication.replica;

import io.varve.cluster.NodeInfo;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.host.CopyContext;
import io.varve.store.CopyFolder;
import io.varve.store.CopyPlan;
import io.varve.store.SourceGoneException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hard-links files from the folder of the node that published a manifest, if that node is on this
 * machine and its folder on the same disk. Files are verified by their identity as in any transfer.
 * Files that can't be linked are fetched.
 */
final class LinkedFiles {

  private static final Logger LOG = LoggerFactory.getLogger(LinkedFiles.class);
  private static final long LEAST_ANSWER_MILLIS = 2_000;

  private final CopyContext context;
  private final CopyFolder folder;
  private final boolean enabled;
  private final Duration timeout;
  private final LongAdder bytes = new LongAdder();

  LinkedFiles(CopyContext context, SegmentTransfers transfers, CopyFolder folder) {
    this.context = context;
    this.folder = folder;
    this.enabled = transfers.settings().hardLinks();
    this.timeout =
        Duration.ofMillis(Math.max(LEAST_ANSWER_MILLIS, transfers.patience().stallMillis()));
  }

  /** The bytes of the files linked so far. */
  long bytes() {
    return bytes.sum();
  }

  /** Returns the files that are now in the folder. */
  List<SegmentFile> link(Manifest target, List<CopyPlan.Fetch> fetches) {
    Optional<String> url = enabled && !fetches.isEmpty() ? neighbour(target) : Optional.empty();
    List<SegmentFile> linked = new ArrayList<>();
    if (url.isEmpty()) {
      return linked;
    }
    try (SnapshotLease lease =
        SnapshotLease.take(
            context,
            context.copyId() + ".links",
            new PeerNode(url.get(), context.node().http()),
            target,
            timeout)) {
      Path there = lease.folder();
      for (CopyPlan.Fetch fetch : fetches) {
        if (there != null && folder.linkFrom(there, fetch.file())) {
          linked.add(fetch.file());
          bytes.add(fetch.file().lengthBytes());
        }
      }
    } catch (SourceGoneException e) {
      LOG.debug("{} finds no files to link", context.shard(), e);
    } catch (IOException e) {
      LOG.info("{} copies files instead of hard-linking them: {}", context.shard(), e.toString());
    }
    return linked;
  }

  /** The publisher, if its address is on this machine. */
  private Optional<String> neighbour(Manifest target) {
    Map<String, NodeInfo> nodes = context.node().cluster().current().nodes();
    NodeInfo self = nodes.get(context.node().identity().nodeId());
    NodeInfo publisher = nodes.get(target.nodeId());
    return self == null || publisher == null || !host(self).equals(host(publisher))
        ? Optional.empty()
        : Optional.of(publisher.url());
  }

  private static String host(NodeInfo node) {
    return String.valueOf(URI.create(node.url()).getHost());
  }
}
