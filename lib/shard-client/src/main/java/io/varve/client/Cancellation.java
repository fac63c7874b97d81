package io.varve.client;

/** Reports whether the answer of a call is still needed. */
public interface Cancellation {

  /** Runs the listener on cancellation, or immediately if it is cancelled already. */
  void onCancel(Runnable listener);

  /** Throws an {@link io.varve.rpc.ApiException} if it is cancelled. */
  void check();
}
