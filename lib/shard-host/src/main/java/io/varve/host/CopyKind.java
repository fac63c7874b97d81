package io.varve.host;

/**
 * A kind of copy that this process can hold. Each service offers the kind that it implements;
 * {@link CopyKinds} makes one {@link CopyFactory} of all that are present.
 */
public interface CopyKind {

  /** Whether copies of this kind accept writes. */
  boolean primary();

  /** Called once for a node, before its first copy is made. */
  CopyFactory on(NodeContext node);
}
