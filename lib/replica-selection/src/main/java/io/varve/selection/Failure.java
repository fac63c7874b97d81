package io.varve.selection;

/** Outcomes of an attempt other than an answer that counts. */
public enum Failure {
  /** The node answered with an error of its own. */
  ERROR,
  /** The node rejected the request for lack of capacity. */
  REJECTED,
  /** No answer within the request's timeout. */
  TIMED_OUT,
  /** The connection could not be opened, or was lost. */
  UNREACHABLE,
  /** The request itself was invalid, and proves nothing about the node. */
  BAD_REQUEST,
  /** Another copy answered first: the time so far is a lower bound. */
  LOST,
  /** The whole search was abandoned. */
  ABANDONED
}
