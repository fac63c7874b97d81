package io.varve.host;

import io.varve.events.ShardId;

/** Called on events of this node's copies. Implementations are cheap and never block. */
public interface CopyEvents {

  CopyEvents NONE =
      new CopyEvents() {
        @Override
        public void shown(ShardId shard, long lagMillis) {}

        @Override
        public void gate(ShardId shard, CopyContext.GateChange change) {}
      };

  /** See {@link CopyContext.Listener#shown}. */
  void shown(ShardId shard, long lagMillis);

  /** See {@link CopyContext.Listener#gate}. */
  void gate(ShardId shard, CopyContext.GateChange change);
}
