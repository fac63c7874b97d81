package io.varve.selection;

/** How an attempt ended without an answer that counts for the node. */
public enum Failure {
  /** The node answered with a fault of its own. */
  ERROR,
  /** The node refused for want of room. */
  REJECTED,
  /** No answer within the request's time. */
  TIMED_OUT,
  /** No connection, or it broke. */
  UNREACHABLE,
  /** The request itself was at fault: says nothing about the node. */
  BAD_REQUEST,
  /** Another copy answered first: the time so far is a lower bound of what it would have taken. */
  LOST,
  /** The whole search was given up. */
  ABANDONED
}
