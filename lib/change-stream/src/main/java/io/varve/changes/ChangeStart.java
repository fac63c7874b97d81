package io.varve.changes;

/** The position at which a group without committed offsets starts. */
public enum ChangeStart {
  /** With the first change that the log still has. */
  BEGINNING,
  /** With the next change. */
  END
}
