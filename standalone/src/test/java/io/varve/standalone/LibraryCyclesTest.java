package io.varve.standalone;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;

/** Packages inside one library depend on each other in one direction only. */
@AnalyzeClasses(packages = "io.varve", importOptions = ImportOption.DoNotIncludeTests.class)
class LibraryCyclesTest {

  @ArchTest
  static final ArchRule SHARD_EVENTS =
      packagesBelow("io.varve.events", "io.varve.memory", "io.varve.names", "io.varve.rpc");

  @ArchTest static final ArchRule SHARD_LOG = packagesBelow("io.varve.log", "io.varve.process");

  @ArchTest static final ArchRule SEGMENT_STORE = packagesBelow("io.varve.store");
  @ArchTest static final ArchRule SHARD_ENGINE = packagesBelow("io.varve.engine");

  @ArchTest
  static final ArchRule SELECTION_HTTP_AND_EMBEDDED_KAFKA =
      packagesBelow("io.varve.selection", "io.varve.http", "io.varve.kafka");

  private static ArchRule packagesBelow(String... roots) {
    return slices().assignedFrom(new PackagesBelow(List.of(roots))).should().beFreeOfCycles();
  }

  /** Each package at or below one of the roots is a slice; other packages are ignored. */
  private record PackagesBelow(List<String> roots) implements SliceAssignment {

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getPackageName();
      return roots.stream().anyMatch(root -> name.equals(root) || name.startsWith(root + "."))
          ? SliceIdentifier.of(name)
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages of " + roots;
    }
  }
}
