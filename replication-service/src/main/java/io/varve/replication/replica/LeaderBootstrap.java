package io.varve.replication.replica;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteAccess;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.RemoteSettings;
import io.varve.cluster.SecretHttpClient;
import io.varve.engine.EngineException;
import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.LeaderRecovery;
import io.varve.host.NodeSettings;
import io.varve.host.RecoveryProgress;
import io.varve.host.apply.Origins;
import io.varve.rpc.BootstrapWire;
import io.varve.store.CopyPlan;
import io.varve.store.CopyRound;
import io.varve.store.FileFetcher;
import io.varve.store.LocalFiles;
import io.varve.store.RoundFetcher;
import io.varve.store.SegmentSource;
import io.varve.store.StoreAccess;
import io.varve.store.StoredSource;
import io.varve.store.TransferLane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies a manifest of the leader's shard into the folder of a follower's primary: from the
 * leader's segment store if this node's store has the files, else from the leader's node that
 * published the manifest, as a replica of that cluster does. Files and parts of files that are
 * local already are not fetched; each is verified by length and checksum.
 */
public record LeaderBootstrap(SegmentTransfers transfers) implements LeaderRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderBootstrap.class);

  @Override
  public void run(
      CopyContext context,
      Path folder,
      BootstrapWire.Plan plan,
      RecoveryProgress recovery,
      LongConsumer missingBytes)
      throws IOException, InterruptedException {
    Manifest leader = Objects.requireNonNull(plan.manifest(), "nothing is to be copied");
    ReplicaFolder opened = ReplicaFolder.open(context, transfers, folder);
    SegmentEngine engine = opened.engine();
    try {
      engine.requireReadable(leader);
      new Copying(opened, plan, leader, recovery, missingBytes).copy();
      engine.install(Origins.beginning(context.shard(), leader, plan.originDigest()));
      engine.sync();
      opened.files().deletePartialsExcept(List::of);
      LOG.info(
          "{} begins with generation {} of term {} of its leader {}, {} bytes, at offset {}",
          context.shard(),
          leader.generation(),
          leader.term(),
          leader.shard(),
          leader.totalBytes(),
          leader.nextOffset());
    } catch (EngineException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      engine.close();
    }
  }

  /** One copy of one manifest. */
  private record Copying(
      ReplicaFolder opened,
      BootstrapWire.Plan plan,
      Manifest leader,
      RecoveryProgress recovery,
      LongConsumer missingBytes) {

    void copy() throws IOException, InterruptedException {
      SegmentSource store = store();
      if (store == null) {
        fromNode();
        return;
      }
      try {
        fetch(round(), store, missingBytes);
      } catch (IOException e) {
        LOG.info("{} asks its leader's node: {}", opened.context().shard(), e.toString());
        try {
          fromNode();
        } catch (IOException second) {
          second.addSuppressed(e);
          throw second;
        }
      }
    }

    /** The leader's segment store, if this node reads the same one; null if it has no store. */
    private @Nullable SegmentSource store() {
      StoreAccess access = opened.transfers().store();
      StoredManifest stored = plan.stored();
      boolean whole =
          access != null
              && stored != null
              && leader.files().stream().allMatch(file -> stored.placeOf(file) != null);
      return whole ? new StoredSource(access.store(), stored) : null;
    }

    private void fromNode() throws IOException, InterruptedException {
      CopyRound round = round();
      if (round.state() != CopyRound.State.FETCHING) {
        return;
      }
      String url = plan.nodeUrl();
      if (url == null) {
        throw new IOException(
            "node " + leader.nodeId() + " that published the manifest is not in its cluster");
      }
      List<CopyPlan.Fetch> fetches = round.currentPlan().fetches();
      CopyContext context = opened.context();
      NodeSettings settings = context.node().settings();
      try (RemoteFiles files =
              new RemoteFiles(
                  settings.remoteFiles(), context.node().http(), settings.remoteAddresses());
          CopySources.Open source =
              new PeerTransfer(context, opened.transfers(), context.copyId(), access(files))
                  .publisher(url, leader, fetches, new SourceMeter())) {
        fetch(
            round,
            source.files(),
            missing -> {
              source.renew(opened.context().node().clock().millis());
              missingBytes.accept(missing);
            });
      }
    }

    /** The leader's nodes are called as its coordinators are. */
    private RemoteAccess access(RemoteFiles files) {
      ClusterState state = opened.context().node().cluster().current();
      return state
          .index(opened.context().shard().indexUuid())
          .map(IndexMetadata::follow)
          .flatMap(follow -> RemoteSettings.of(state, follow.remoteCluster()))
          .map(files::access)
          .orElseGet(() ->
              RemoteAccess.plain(SecretHttpClient.withoutSecret(opened.context().node().http())));
    }

    private CopyRound round() throws IOException {
      SegmentEngine engine = opened.engine();
      List<SegmentFile> here = engine.localFiles().stream().filter(engine::hasFile).toList();
      CopyRound round = new CopyRound(leader);
      CopyPlan needed = round.planned(new LocalFiles(here, opened.files().partialBytes()));
      for (CopyPlan.Link link : needed.links()) {
        opened.files().link(link);
      }
      recovery.fromPeer(
          leader.nodeId(),
          leader.files(),
          here.stream().map(SegmentFile::name).collect(Collectors.toUnmodifiableSet()));
      missingBytes.accept(round.missingBytes());
      return round;
    }

    private void fetch(CopyRound round, SegmentSource source, LongConsumer missing)
        throws IOException, InterruptedException {
      if (round.state() != CopyRound.State.FETCHING) {
        return;
      }
      FileFetcher files =
          new FileFetcher(
              opened.files(), opened.transfers().settings(), opened.transfers().budget());
      RoundFetcher.Result result =
          new RoundFetcher(files, () -> null, missing).fetch(round, source, TransferLane.BOOTSTRAP);
      recovery.arrived(
          name -> round.arrivedFiles().stream().anyMatch(file -> file.name().equals(name)));
      if (!(result instanceof RoundFetcher.Result.Complete)) {
        throw new IOException(
            result instanceof RoundFetcher.Result.Failed(var _, String reason)
                ? reason
                : "the copy was stopped");
      }
    }
  }
}
