package io.varve.host;

/**
 * A kind of copy that this process can hold. Each service offers the kind that it implements;
 * {@link CopyKinds} combines all kinds of a process into one {@link CopyFactory}.
 */
public interface CopyKind {

  /** Whether copies of this kind accept writes. */
  boolean primary();

  /** Called once per node, before its first copy is created. */
  CopyFactory on(NodeContext node);
}
