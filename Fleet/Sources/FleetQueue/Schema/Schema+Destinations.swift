// A destination belongs to one job. Its index is beside the jobs, because each change of a state writes an entry into
// every index of its table: that made the server's part of a job 3.5 of 27 µs longer.

extension Schema {
    static let destinations =
        [
            """
            CREATE TABLE netdash.destination (
                dest text COLLATE "C" PRIMARY KEY,
                job_id bigint NOT NULL UNIQUE
            )
            """,
            destinationFunction,
        ] + destinationTriggers

    /// Keeps the destinations of the jobs: another job's destination ends an insertion or a change as a duplicate.
    ///
    /// It has its owner's rights, as the one of the counts.
    private static let destinationFunction = """
        CREATE FUNCTION netdash.keep_destinations() RETURNS trigger
        \(planned) SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            IF TG_OP = 'INSERT' THEN
                INSERT INTO netdash.destination (dest, job_id) SELECT dest, id FROM new_jobs;
            ELSIF TG_OP = 'UPDATE' THEN
                UPDATE netdash.destination SET dest = NEW.dest WHERE job_id = OLD.id;
            ELSIF TG_OP = 'DELETE' THEN
                DELETE FROM netdash.destination d USING old_jobs o WHERE d.job_id = o.id;
            ELSE
                TRUNCATE netdash.destination;
            END IF;
            RETURN NULL;
        END $$
        """

    private static let destinationTriggers =
        [
            ("INSERT", "REFERENCING NEW TABLE AS new_jobs FOR EACH STATEMENT"),
            ("UPDATE OF dest", "FOR EACH ROW WHEN (NEW.dest <> OLD.dest)"),
            ("DELETE", "REFERENCING OLD TABLE AS old_jobs FOR EACH STATEMENT"), ("TRUNCATE", "FOR EACH STATEMENT"),
        ].map { event, scope in
            """
            CREATE TRIGGER destination_\(event.prefix { $0 != " " }.lowercased()) AFTER \(event) ON netdash.job
            \(scope) EXECUTE FUNCTION netdash.keep_destinations()
            """
        }
}
