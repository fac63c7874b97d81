package io.varve.shard.remote;

import io.varve.events.Json;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.StoreRecovery;
import io.varve.store.CrossIndexReferences;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segment store as a node's primaries use it.
 *
 * @param bootstrap fills a folder with the files of a stored manifest
 */
public record RemoteStore(StoreAccess access, StoreRecovery bootstrap) {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteStore.class);

  /**
   * Writes a point before the first upload of a restored index. The cluster that owns the index's
   * files sees only its points, and may delete files that no point names.
   */
  public void announce(CopyContext context, StoredManifest beginning) {
    StoredPoints points = new StoredPoints(access.store());
    try {
      if (!CrossIndexReferences.others(beginning).isEmpty()
          && points.keys(context.shard()).isEmpty()) {
        points.put(new StoredPoints.Point(beginning, Json.mapper().valueToTree(context.index())));
      }
    } catch (IOException e) {
      LOG.warn(
          "{} could not write the point of its restored files; the first upload writes it",
          context.shard(),
          e);
    }
  }
}
