package io.varve.host;

import io.varve.rpc.ClusterCalls;
import java.time.Duration;

/** A leader that expects no calls; tests override those that they expect. */
public class UnexpectedCalls implements LeaderClient {

  @Override
  public long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
    throw new AssertionError("not expected: " + request);
  }

  @Override
  public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
    throw new AssertionError("not expected: " + news);
  }

  @Override
  public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
    throw new AssertionError("not expected: " + news);
  }

  @Override
  public long historyLost(ClusterCalls.LostHistory news, Duration timeout) {
    throw new AssertionError("not expected: " + news);
  }

  @Override
  public long newFields(ClusterCalls.NewFields request, Duration timeout) {
    throw new AssertionError("not expected: " + request);
  }

  @Override
  public long leaseOverLimit(ClusterCalls.LeaseOverLimit news, Duration timeout) {
    throw new AssertionError("not expected: " + news);
  }
}
