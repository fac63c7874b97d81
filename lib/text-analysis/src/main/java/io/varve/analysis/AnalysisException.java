package io.varve.analysis;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

/** Creates the errors of analysis settings and requests. */
final class AnalysisException {

  private AnalysisException() {}

  static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  static ApiException illegal(String reason, RuntimeException cause) {
    return new ApiException(
        ErrorBody.illegalArgument(reason)
            .causedBy(ErrorBody.illegalArgument(String.valueOf(cause.getMessage()))));
  }
}
