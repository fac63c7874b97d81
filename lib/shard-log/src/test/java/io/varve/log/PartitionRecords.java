package io.varve.log;

import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;

/** All records of a partition, for tests. */
public final class PartitionRecords {

  private PartitionRecords() {}

  public static List<StoredRecord> of(PartitionLog partition) throws LogException {
    List<StoredRecord> records = new ArrayList<>();
    partition.read(partition.startOffset(), partition.endOffset(), records::add);
    return records;
  }
}
