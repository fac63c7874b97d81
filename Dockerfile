# One image for all services; the command names the main class. Built from the distribution that Maven creates:
#   mvn -DskipTests package && docker build -t varve:0.1.0 .
FROM eclipse-temurin:25-jre
RUN useradd --system --home /var/lib/varve --create-home varve
COPY standalone/target/dist/lib /opt/varve/lib
COPY jvm.options /opt/varve/jvm.options
USER varve
VOLUME /var/lib/varve
ENTRYPOINT ["java", "@/opt/varve/jvm.options", "-XX:MaxRAMPercentage=60", "-cp", "/opt/varve/lib/*"]
CMD ["io.varve.coordinator.CoordinatorService"]
