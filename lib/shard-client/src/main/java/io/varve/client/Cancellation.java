package io.varve.client;

/** Tells whether the answer of a call is still wanted. */
public interface Cancellation {

  /** Runs the listener on cancellation, or immediately if it is cancelled already. */
  void onCancel(Runnable listener);

  /** Throws an {@link io.varve.rpc.ApiException} if it is cancelled. */
  void check();
}
