package io.varve.changes;

import org.springframework.context.ApplicationEvent;

/**
 * An index was deleted while a listener followed its changes. It has no further changes; those that
 * the listener had not received are lost.
 */
public final class IndexDeletedEvent extends ApplicationEvent {

  private static final long serialVersionUID = 1L;

  private final String index;
  private final transient ChangeTopic topic;

  IndexDeletedEvent(Object source, String index, ChangeTopic topic) {
    super(source);
    this.index = index;
    this.topic = topic;
  }

  /** The name of the index, or its uuid if the name is not known. */
  public String index() {
    return index;
  }

  public ChangeTopic topic() {
    return topic;
  }
}
