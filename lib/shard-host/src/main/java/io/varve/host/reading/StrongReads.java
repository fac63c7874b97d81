package io.varve.host.reading;

import io.varve.rpc.DocumentsWire.Result;
import io.varve.rpc.DocumentsWire.Wanted;
import java.time.Duration;
import java.util.List;

/** Reads of the primary of a strongly consistent index, which knows what all copies hold. */
public interface StrongReads {

  /**
   * The newest versions of these documents, in order, once every started copy holds them. A
   * document fails with 503 if this is not known in time, and with 429 if too many requests wait.
   */
  List<Result> get(List<Wanted> wanted, Duration timeout) throws InterruptedException;

  /** Whether every started copy holds all operations up to this one, within the timeout. */
  boolean awaitHeldByAll(long seqNo, Duration timeout) throws InterruptedException;

  /**
   * Counts a copy that is about to start as one that must hold everything that is read from now on.
   *
   * @return the seq_no up to which it must hold everything before it starts
   * @throws io.varve.rpc.ApiException 503 if this primary does not know the copy
   */
  long admit(String copyId, String incarnation);
}
