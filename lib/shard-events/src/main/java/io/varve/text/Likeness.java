package io.varve.text;

/** The similarity of two words by edit distance. */
public final class Likeness {

  private Likeness() {}

  /** The edit distance: characters to insert, delete or replace. */
  public static int edits(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(previous[j], row[j - 1]));
      }
      previous = row;
    }
    return previous[b.length()];
  }

  /** From 0 for entirely different to 1 for equal: {@code 1 - edits / length of the longer}. */
  public static double of(String a, String b) {
    int longer = Math.max(a.length(), b.length());
    return longer == 0 ? 1 : 1 - (double) edits(a, b) / longer;
  }
}
