package io.varve.standalone.cluster;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call of a client on one document. Each call writes a distinct value.
 *
 * @param kind the kind of call
 * @param value the value written, or found by a read; null for none
 * @param expected for a compare-and-set, the value that the document must have
 * @param outcome the outcome, as far as it is known
 * @param calledNanos the time before the call
 * @param returnedNanos the time after the response; meaningless for an unknown outcome
 */
record RegisterOp(
    Kind kind,
    @Nullable Integer value,
    @Nullable Integer expected,
    Outcome outcome,
    long calledNanos,
    long returnedNanos) {

  /** A kind of call on a document, modeled as a register that holds a value or is empty. */
  enum Kind {
    READ,
    WRITE,
    CREATE,
    DELETE,
    COMPARE_AND_SET
  }

  /** The outcome of a call. */
  enum Outcome {
    /** It took effect. */
    DONE,
    /** Its condition did not hold. */
    REFUSED,
    /** It took effect at some time after the call, will do so later, or never will. */
    UNKNOWN
  }

  RegisterOp {
    if ((kind == Kind.READ || kind == Kind.WRITE) && outcome == Outcome.REFUSED) {
      throw new IllegalArgumentException(kind + " has no condition");
    }
  }

  static RegisterOp read(@Nullable Integer found, long called, long returned) {
    return new RegisterOp(Kind.READ, found, null, Outcome.DONE, called, returned);
  }

  boolean isKnown() {
    return outcome != Outcome.UNKNOWN;
  }

  /** Whether this call could take effect while the document has that value. */
  boolean fits(@Nullable Integer state) {
    boolean done = outcome == Outcome.DONE;
    return switch (kind) {
      case READ -> Objects.equals(state, value);
      case WRITE -> true;
      case CREATE -> !isKnown() || done == (state == null);
      case DELETE -> !isKnown() || done == (state != null);
      case COMPARE_AND_SET -> !isKnown() || done == Objects.equals(state, expected);
    };
  }

  /** The document's value after this call. */
  @Nullable Integer after(@Nullable Integer state) {
    if (outcome == Outcome.REFUSED) {
      return state;
    }
    return switch (kind) {
      case READ -> state;
      case WRITE -> value;
      case CREATE -> state == null ? value : state;
      case DELETE -> null;
      case COMPARE_AND_SET -> Objects.equals(state, expected) ? value : state;
    };
  }
}
