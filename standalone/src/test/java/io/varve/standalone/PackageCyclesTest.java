package io.varve.standalone;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Inside a module, packages depend on each other in one direction only. */
@AnalyzeClasses(packages = "io.varve", importOptions = ImportOption.DoNotIncludeTests.class)
class PackageCyclesTest {

  @ArchTest static final ArchRule PACKAGES_OF_THE_SEARCH_MODEL = packagesOf("io.varve.search");

  @ArchTest static final ArchRule PACKAGES_OF_TEXT_ANALYSIS = packagesOf("io.varve.analysis");

  @ArchTest static final ArchRule PACKAGES_OF_SEGMENT_CODECS = packagesOf("io.varve.codec");

  private static ArchRule packagesOf(String root) {
    return slices().assignedFrom(new Packages(root)).should().beFreeOfCycles();
  }

  /** One slice for each package at or below the root, the root package included. */
  private record Packages(String root) implements SliceAssignment {

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getPackageName();
      return name.equals(root) || name.startsWith(root + ".")
          ? SliceIdentifier.of(name)
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages of " + root;
    }
  }
}
