package io.varve.engine.search;

import java.text.BreakIterator;
import java.text.CharacterIterator;
import java.util.Locale;

/**
 * Breaks text into sentences. A sentence longer than the limit is split between words, so that the
 * requested position is in the center. Positions are requested in order, each with {@code
 * preceding} and then {@code following}.
 */
final class BoundedBreaks extends BreakIterator {

  private final BreakIterator sentences;
  private final BreakIterator words;
  private final int most;
  private int windowStart = -1;
  private int windowEnd = -1;
  private int innerStart;
  private int innerEnd;

  BoundedBreaks(Locale locale, int most) {
    this.sentences = BreakIterator.getSentenceInstance(locale);
    this.words = BreakIterator.getWordInstance(locale);
    this.most = Math.max(1, most);
  }

  @Override
  public void setText(CharacterIterator text) {
    sentences.setText((CharacterIterator) text.clone());
    words.setText((CharacterIterator) text.clone());
    windowStart = -1;
    windowEnd = -1;
  }

  @Override
  public CharacterIterator getText() {
    return sentences.getText();
  }

  @Override
  public int preceding(int offset) {
    if (offset > windowStart && offset < windowEnd) {
      innerStart = innerEnd;
      innerEnd = windowEnd;
    } else {
      int start = sentences.preceding(offset);
      windowStart = start == DONE ? sentences.first() : start;
      innerStart = windowStart;
      int end = sentences.following(Math.max(0, offset - 1));
      windowEnd = end == DONE ? sentences.last() : end;
      innerEnd = windowEnd;
    }
    if (innerEnd - innerStart > most) {
      if (offset - most > innerStart) {
        innerStart = Math.max(innerStart, wordBefore(offset - most));
      }
      int left = Math.max(0, most - (offset - innerStart));
      if (offset + left < windowEnd) {
        innerEnd = Math.max(offset, wordBefore(offset + left + 1));
      }
    }
    return innerStart;
  }

  private int wordBefore(int offset) {
    int word = words.preceding(Math.min(offset, words.last()));
    return word == DONE ? words.first() : word;
  }

  @Override
  public int following(int offset) {
    if (offset >= innerEnd) {
      int word = words.following(Math.min(offset, words.last() - 1));
      return word == DONE ? words.last() : word;
    }
    return innerEnd;
  }

  @Override
  public int first() {
    return sentences.first();
  }

  @Override
  public int last() {
    return sentences.last();
  }

  @Override
  public int next(int n) {
    return sentences.next(n);
  }

  @Override
  public int next() {
    return sentences.next();
  }

  @Override
  public int previous() {
    return sentences.previous();
  }

  @Override
  public int current() {
    return sentences.current();
  }
}
