/// The texts of the help beside the records of commands and options.
enum ProgramHelp {
    /// The version of the release, which is netdash's.
    static let version = "netdash-fleet 0.1.0"
    static let summary = "netdash-fleet COMMAND [OPTION...]: a queue in PostgreSQL that many machines drain"
    static let address = """
        Every command takes --queue URL; without it libpq's environment counts (PGHOST,
        PGDATABASE, PGSERVICE). A password comes from PGPASSWORD or ~/.pgpass, never from the URL.
        """
}
