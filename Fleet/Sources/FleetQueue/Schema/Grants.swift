/// The roles of a queue, as statements for its administrator.
///
/// A worker can change what it reports and nothing else: neither the URL nor the destination of a job.
package enum Grants {
    /// The statements that `init --grants` prints.
    package static var statements: String { roles + rights }

    /// One statement, which makes only missing roles: they belong to the whole server, which may have several queues.
    static let roles = """
        DO $$ BEGIN
            IF to_regrole('netdash_reader') IS NULL THEN CREATE ROLE netdash_reader NOLOGIN; END IF;
            IF to_regrole('netdash_worker') IS NULL THEN CREATE ROLE netdash_worker NOLOGIN; END IF;
            IF to_regrole('netdash_writer') IS NULL THEN CREATE ROLE netdash_writer NOLOGIN; END IF;
        END $$;

        """

    /// What each role may do in this queue.
    static let rights = """
        REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA netdash FROM PUBLIC;
        GRANT USAGE ON SCHEMA netdash TO netdash_reader, netdash_worker, netdash_writer;
        GRANT SELECT ON ALL TABLES IN SCHEMA netdash TO netdash_reader, netdash_worker, netdash_writer;
        GRANT EXECUTE ON FUNCTION netdash.wake(integer[], boolean), netdash.fold() TO netdash_worker, netdash_writer;

        GRANT UPDATE (state, wish, attempts, lapses, not_before, lease_until, worker, epoch, received, total, cause,
            cause_kind, result, ended) ON netdash.job TO netdash_worker;
        GRANT INSERT (host, not_before, backoff, cause),
            UPDATE (not_before, next_start, backoff, cause, due, priority, running_at_most)
            ON netdash.host TO netdash_worker;
        GRANT INSERT, UPDATE, DELETE ON netdash.worker TO netdash_worker;
        GRANT UPDATE (reaped) ON netdash.queue TO netdash_worker;
        GRANT EXECUTE ON FUNCTION
            netdash.claim(text, integer, integer, interval, integer, text[]),
            netdash.beat(text, bigint[], bigint[], bigint[], bigint[], interval, integer, jsonb, integer),
            netdash.complete(bigint[], bigint[], bigint[], jsonb[]),
            netdash.fail(bigint[], bigint[], text[], text[], boolean[], boolean[], interval),
            netdash.hand_back(bigint[], bigint[], bigint[], text[], text[], interval[]),
            netdash.hold(text, interval, text),
            netdash.reap(interval)
            TO netdash_worker;

        GRANT INSERT, UPDATE, DELETE ON netdash.job, netdash.host TO netdash_writer;
        GRANT EXECUTE ON FUNCTION
            netdash.wish(bigint[], text), netdash.retry(text, text, text, bigint, integer), netdash.release(text)
            TO netdash_writer;

        """
}
