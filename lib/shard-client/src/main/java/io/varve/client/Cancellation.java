package io.varve.client;

/** Whether the answer of a call is still wanted. */
public interface Cancellation {

  /** Runs the listener when it is cancelled; at once when it already is. */
  void onCancel(Runnable listener);

  /** Throws an {@link io.varve.rpc.ApiException} when it is cancelled. */
  void check();
}
