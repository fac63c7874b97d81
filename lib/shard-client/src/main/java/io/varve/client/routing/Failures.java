package io.varve.client.routing;

import io.varve.client.CopyAddress;
import io.varve.client.NodeHttp;
import io.varve.client.NotServing;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import io.varve.selection.Failure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Classifies failed searches of a shard by what they indicate about the node. */
final class Failures {

  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  static Failure of(RuntimeException failure) {
    return switch (failure) {
      case UnreachableException unreachable -> of(unreachable.getCause());
      case ApiException refused -> of(refused.error());
      default -> Failure.ERROR;
    };
  }

  /** Without a connection, the node received no work. */
  private static Failure of(@Nullable Throwable cause) {
    return cause instanceof NodeHttp.LateException ? Failure.TIMED_OUT : Failure.UNREACHABLE;
  }

  private static Failure of(ErrorBody error) {
    if (error.type().equals("task_cancelled_exception")) {
      return Failure.ABANDONED;
    }
    if (error.type().equals(ReadDemand.TIMEOUT_TYPE)) {
      // The copy lags; its answer is good enough for reads that demand less.
      return Failure.BAD_REQUEST;
    }
    if (NotServing.is(error)) {
      // The copy is not open yet, or no longer there; its node is healthy.
      return Failure.BAD_REQUEST;
    }
    return switch (error.status()) {
      case 429 -> Failure.REJECTED;
      case 408, 504 -> Failure.TIMED_OUT;
      default -> error.status() < 500 ? Failure.BAD_REQUEST : Failure.ERROR;
    };
  }

  /** The answer cannot be parsed; another copy's answer may be. */
  static ApiException unreadable(CopyAddress copy, RuntimeException cause) {
    LOG.warn("the answer of {} can't be read", copy, cause);
    return new ApiException(
        ErrorBody.of(
            500,
            "remote_transport_exception",
            "the answer of node [" + copy.node().name() + "] can't be read: " + cause));
  }

  /** Whether another attempt adds work for nodes that may be overloaded. */
  static boolean costs(Failure failure) {
    return switch (failure) {
      case ERROR, REJECTED, TIMED_OUT -> true;
      case UNREACHABLE, BAD_REQUEST, LOST, ABANDONED -> false;
    };
  }
}
