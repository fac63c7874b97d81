package io.varve.standalone.demo;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Documents to index, and what to ask of them. */
interface Corpus {

  /** A search worth showing: what it is for, and the body of the request. */
  record Question(String title, String body, List<String> fields) {}

  /** What the corpus is, for a person. */
  String title();

  /** The body of the index's creation, without its settings. */
  String mapping();

  /** How many documents {@link #forEach} will give. */
  long count() throws IOException;

  /** Gives each document as one line of JSON. */
  void forEach(Consumer<String> documents) throws IOException;

  List<Question> questions();
}
