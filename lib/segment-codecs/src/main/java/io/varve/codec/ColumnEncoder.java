package io.varve.codec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Lays out the stored fields of a block by columns: the values of the same field in documents with
 * the same structure are adjacent, so that a compressor with a small window finds their similarity.
 *
 * <pre>
 *   block    = 1  records  templates  template*  order  whole*  digits*  lines*
 *   template = head  (length * 2 + json)  text  width*  parts*  head: number and type of the field
 *   parts = by placeholder of width -1: how many, and the placeholders that its references denote
 *   order    = one byte for each record: its template; absent when there is one template
 *   whole    = values of the fields that are not JSON, by template: 0 and their lengths, or their
 *              common length + 1 and their first bytes, second bytes, ...
 *   digits   = by template, by placeholder that has a width: values padded to it on the left, their
 *              first bytes, second bytes, ...; see {@link ColumnWidths}
 *   lines    = by template, by placeholder that has none, by record: the value and a line break; where
 *              the width is -1 with references, see {@link References}
 * </pre>
 *
 * <p>Numbers are vints. A record is one stored field of one document as Lucene writes it in a
 * chunk. Blocks with fields other than text and bytes, and blocks whose documents have little
 * structure in common, are laid out by rows: 0 and the original bytes.
 */
final class ColumnEncoder {

  static final byte ROWS = 0;
  static final byte COLUMNS = 1;

  static final int MOST_TEMPLATES = 200;

  private static final int TYPE_BITS = 3;
  private static final int TYPE_MASK = (1 << TYPE_BITS) - 1;
  private static final int LAST_TYPE_OF_BYTES = 1;
  private static final int FEW_TEMPLATES = 8;

  private final List<Template> templates = new ArrayList<>();
  private final JsonSplitter scanned = new JsonSplitter();
  private final ColumnWidths widths = new ColumnWidths();
  private byte[] order = new byte[256];
  private int records;
  private int jsonRecords;
  private int jsonTemplates;
  private int placeholders;
  private byte[] payload = new byte[0];
  private int length;

  byte[] payload() {
    return payload;
  }

  int length() {
    return length;
  }

  void rows(byte[] block, int size) {
    room(size + 1);
    payload[0] = ROWS;
    System.arraycopy(block, 0, payload, 1, size);
    length = size + 1;
  }

  /** Returns whether the block could be laid out by columns. */
  boolean columns(byte[] block, int size) {
    templates.clear();
    records = 0;
    jsonRecords = 0;
    jsonTemplates = 0;
    placeholders = 0;
    ByteCursor cursor = new ByteCursor(block, 0, size);
    int last = -1;
    while (cursor.at < size) {
      last = record(block, cursor, last);
      if (last < 0) {
        return false;
      }
    }
    if (jsonRecords == 0 || (jsonTemplates > FEW_TEMPLATES && jsonTemplates * 2 > jsonRecords)) {
      return false;
    }
    write(block, size);
    return true;
  }

  private int record(byte[] block, ByteCursor cursor, int last) {
    long head = cursor.number();
    if (head < 0 || (head & TYPE_MASK) > LAST_TYPE_OF_BYTES) {
      return -1;
    }
    long size = cursor.number();
    if (size < 0 || size > cursor.end - cursor.at) {
      return -1;
    }
    int from = cursor.at;
    int to = from + (int) size;
    cursor.at = to;
    int template = templateOf(block, head, from, to, last);
    if (template < 0) {
      return -1;
    }
    if (last >= 0) {
      templates.get(last).follower = template;
    }
    if (records == order.length) {
      order = Arrays.copyOf(order, records * 2);
    }
    order[records++] = (byte) template;
    return template;
  }

  private int templateOf(byte[] block, long head, int from, int to, int last) {
    if (from == to || block[from] != '{') {
      return whole(head, from, to);
    }
    int likely = last < 0 ? -1 : templates.get(last).follower;
    if (likely >= 0) {
      Template template = templates.get(likely);
      if (template.json && template.head == head && template.takes(block, from, to)) {
        jsonRecords++;
        placeholders += template.placeholders.length;
        return likely;
      }
    }
    if (!scanned.scan(block, from, to)) {
      return whole(head, from, to);
    }
    int found = find(head);
    if (found < 0) {
      return whole(head, from, to);
    }
    templates.get(found).add(scanned.values);
    jsonRecords++;
    placeholders += scanned.placeholders;
    return found;
  }

  private int find(long head) {
    int hash = scanned.hash();
    for (int i = 0; i < templates.size(); i++) {
      if (templates.get(i).is(head, hash, scanned.text, scanned.length)) {
        return i;
      }
    }
    if (templates.size() >= MOST_TEMPLATES) {
      return -1;
    }
    byte[] text = Arrays.copyOf(scanned.text, scanned.length);
    templates.add(new Template(head, true, text, hash, scanned.placeholders));
    jsonTemplates++;
    return templates.size() - 1;
  }

  private int whole(long head, int from, int to) {
    int found = -1;
    for (int i = 0; i < templates.size() && found < 0; i++) {
      if (!templates.get(i).json && templates.get(i).head == head) {
        found = i;
      }
    }
    if (found < 0) {
      if (templates.size() > Byte.MAX_VALUE * 2) {
        return -1;
      }
      found = templates.size();
      templates.add(new Template(head, false, new byte[0], 0, 1));
    }
    templates.get(found).add(new int[] {from, to});
    return found;
  }

  private void write(byte[] block, int size) {
    int texts = 0;
    for (Template template : templates) {
      widths.decide(template, block);
      texts += template.text.length + template.placeholders.length + 16 + partsRoom(template);
    }
    room(size + placeholders * (1 + ColumnWidths.MOST_FILLING) + texts + records * 6 + 16);
    payload[0] = COLUMNS;
    int at = Varints.write(payload, 1, records);
    at = Varints.write(payload, at, templates.size());
    for (Template template : templates) {
      at = Varints.write(payload, at, template.head);
      at = Varints.write(payload, at, template.text.length * 2L + (template.json ? 1 : 0));
      System.arraycopy(template.text, 0, payload, at, template.text.length);
      at += template.text.length;
      System.arraycopy(
          template.widths, 0, payload, at, template.json ? template.placeholders.length : 0);
      at += template.json ? template.placeholders.length : 0;
      at = template.json ? writeParts(template, at) : at;
    }
    if (templates.size() > 1) {
      System.arraycopy(order, 0, payload, at, records);
      at += records;
    }
    for (Template template : templates) {
      at = template.json ? at : writeWhole(template, block, at);
    }
    for (Template template : templates) {
      at = template.json ? writeDigits(template, block, at) : at;
    }
    for (Template template : templates) {
      at = template.json ? writeLines(template, block, at) : at;
    }
    length = at;
  }

  private static int partsRoom(Template template) {
    int room = 0;
    for (byte width : template.widths) {
      room += width == References.REFERS ? 2 + References.CODES * 5 : 0;
    }
    return room;
  }

  private int writeParts(Template template, int from) {
    int at = from;
    for (int placeholder = 0; placeholder < template.placeholders.length; placeholder++) {
      if (template.widths[placeholder] == References.REFERS) {
        at = Varints.write(payload, at, template.parts[placeholder].length);
        for (int part : template.parts[placeholder]) {
          at = Varints.write(payload, at, part);
        }
      }
    }
    return at;
  }

  private int writeWhole(Template template, byte[] block, int from) {
    int[] values = template.values;
    int common = values[1] - values[0];
    for (int i = 1; i < template.records && common >= 0; i++) {
      common = values[2 * i + 1] - values[2 * i] == common ? common : -1;
    }
    int at = Varints.write(payload, from, common + 1L);
    if (common >= 0) {
      for (int i = 0; i < common; i++) {
        for (int record = 0; record < template.records; record++) {
          payload[at++] = block[values[2 * record] + i];
        }
      }
      return at;
    }
    for (int i = 0; i < template.records; i++) {
      at = Varints.write(payload, at, values[2 * i + 1] - values[2 * i]);
    }
    for (int i = 0; i < template.records; i++) {
      int length = values[2 * i + 1] - values[2 * i];
      System.arraycopy(block, values[2 * i], payload, at, length);
      at += length;
    }
    return at;
  }

  private int writeDigits(Template template, byte[] block, int from) {
    int at = from;
    for (int placeholder = 0; placeholder < template.placeholders.length; placeholder++) {
      int width = template.widths[placeholder];
      for (int i = 0; i < template.records && width > 0; i++) {
        int v = (i * template.placeholders.length + placeholder) * 2;
        int start = template.values[v];
        int filling = width - (template.values[v + 1] - start);
        for (int digit = 0, to = at + i; digit < width; digit++, to += template.records) {
          payload[to] = digit < filling ? ColumnWidths.FILLING : block[start + digit - filling];
        }
      }
      at += Math.max(0, width) * template.records;
    }
    return at;
  }

  private int writeLines(Template template, byte[] block, int from) {
    int at = from;
    int[] values = template.values;
    int step = template.placeholders.length * 2;
    for (int placeholder = 0; placeholder < template.placeholders.length; placeholder++) {
      if (template.widths[placeholder] > 0) {
        continue;
      }
      for (int i = 0, v = placeholder * 2; i < template.records; i++, v += step) {
        if (template.widths[placeholder] == References.REFERS) {
          at = References.write(template, i, placeholder, block, payload, at);
        } else {
          int start = values[v];
          int length = values[v + 1] - start;
          System.arraycopy(block, start, payload, at, length);
          at += length;
          payload[at++] = '\n';
        }
      }
    }
    return at;
  }

  private void room(int bytes) {
    if (payload.length < bytes) {
      payload = new byte[bytes + bytes / 4];
    }
  }
}
