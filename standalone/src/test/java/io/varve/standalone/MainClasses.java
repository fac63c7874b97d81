package io.varve.standalone;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.stream.Stream;

/** Reads the main classes of all modules that a standalone process contains. */
final class MainClasses {

  /** Excludes test folders and the jars built from them. */
  static final class OutsideOfTests implements ImportOption {

    private final ImportOption noTests = new DoNotIncludeTests();

    @Override
    public boolean includes(Location location) {
      return noTests.includes(location) && !location.contains("-tests.jar");
    }
  }

  /** Imported once for all tests: it takes seconds. */
  private static final class Imported {
    static final JavaClasses CLASSES =
        new ClassFileImporter()
            .withImportOption(new OutsideOfTests())
            .importPackages("io.varve")
            .that(resideOutsideOfPackage("io.varve.testkit.."));
  }

  private MainClasses() {}

  static JavaClasses imported() {
    return Imported.CLASSES;
  }

  /** Returns the parsed class files, including their constants. */
  static Stream<ClassModel> files() {
    return imported().stream().map(MainClasses::file);
  }

  private static ClassModel file(JavaClass type) {
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return ClassFile.of().parse(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
