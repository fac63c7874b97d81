package io.varve.rpc;

/**
 * Carries an {@link ErrorBody} to the code that writes the response. It has no stack trace because
 * it is an answer, not a defect.
 */
public final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ErrorBody error;

  public ApiException(ErrorBody error) {
    super(error.type() + ": " + error.reason(), null, false, false);
    this.error = error;
  }

  public ApiException(int status, String type, String reason) {
    this(ErrorBody.of(status, type, reason));
  }

  public ErrorBody error() {
    return error;
  }
}
