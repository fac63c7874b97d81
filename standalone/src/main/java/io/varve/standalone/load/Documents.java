package io.varve.standalone.load;

import java.io.IOException;

/** Documents to index, in order. */
@FunctionalInterface
public interface Documents {

  /** Receives documents. */
  @FunctionalInterface
  interface Sink {

    /**
     * @param document one JSON object on one line
     * @param line its number in the input, from 1; 0 if there is none
     * @return whether more documents are wanted
     */
    boolean accept(String document, long line) throws IOException, InterruptedException;
  }

  /** Passes each document to the sink until there are no more, or no more are wanted. */
  void forEach(Sink sink) throws IOException, InterruptedException;
}
