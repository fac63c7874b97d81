# One image for all services; the command names the main class. Built from the distribution that Maven made:
#   mvn -DskipTests package && docker build -t varve:0.1.0 .
FROM eclipse-temurin:25-jre
RUN useradd --system --home /var/lib/varve --create-home varve
COPY standalone/target/dist/lib /opt/varve/lib
USER varve
VOLUME /var/lib/varve
ENTRYPOINT ["java", "--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED", "--add-modules=jdk.incubator.vector", "-XX:MaxRAMPercentage=60", "-cp", "/opt/varve/lib/*"]
CMD ["io.varve.coordinator.CoordinatorService"]
