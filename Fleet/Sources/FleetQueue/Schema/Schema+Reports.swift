// Jobs are found by their ids: a plain condition on `state` would read the entries of all earlier claims, which stay in
// its index until a vacuum, and `IS TRUE` keeps the planner from that.

extension Schema {
    /// A table expression `locked` for a report: the jobs that are still their worker's, locked in the order of their
    /// ids, with the report's own columns.
    static func reported(_ arrays: String, _ names: String, and further: String? = nil) -> String {
        let columns = names.split(separator: ", ").map { "r." + $0 } + [further].compactMap(\.self)
        return """
            locked AS (
                SELECT j.id, \(columns.joined(separator: ", "))
                FROM netdash.job j JOIN unnest(ids, epochs, \(arrays)) AS r(id, epoch, \(names)) ON j.id = r.id
                WHERE j.epoch = r.epoch AND (j.state = 'running') IS TRUE ORDER BY j.id FOR UPDATE OF j
            )
            """
    }

    /// Records finished jobs and returns their ids; the id of a job that another worker has claimed is missing.
    ///
    /// The jobs are found in the order of their ids, which is the order of their locks: locking them before costs as much
    /// again as the change. It may be repeated: a worker whose connection broke after the commit has not seen the answer.
    static let completeFunction = """
        CREATE FUNCTION netdash.complete(ids bigint[], epochs bigint[], bytes bigint[], results jsonb[])
        RETURNS SETOF bigint \(planned) AS $$
        DECLARE
            hosts integer[];
            finished bigint[];
        BEGIN
            WITH changed AS (
                UPDATE netdash.job j
                SET state = 'done', received = r.received, total = r.received, result = r.result, cause = NULL,
                    cause_kind = NULL, wish = 'run', lease_until = NULL, ended = now()
                FROM (
                    SELECT * FROM unnest(ids, epochs, bytes, results) AS r(id, epoch, received, result) ORDER BY id
                ) r
                WHERE j.id = r.id AND j.epoch = r.epoch AND (j.state = 'running') IS TRUE RETURNING j.id, j.host_id
            )
            SELECT array_agg(c.id), array_agg(DISTINCT c.host_id) INTO finished, hosts FROM changed c;
            PERFORM netdash.wake(hosts, false);
            RETURN QUERY SELECT unnest(finished);
            IF COALESCE(cardinality(finished), 0) < cardinality(ids) THEN
                RETURN QUERY
                    SELECT j.id FROM netdash.job j JOIN unnest(ids, epochs) AS u(id, epoch) ON j.id = u.id
                    WHERE j.epoch = u.epoch AND (j.state = 'done') IS TRUE AND j.id <> ALL (COALESCE(finished, '{}'));
            END IF;
        END $$
        """

    /// The attempts that a failure counts as: a refusal, none before its host's waits are longer than five minutes.
    private static let countedAttempt = """
        CASE WHEN r.refused AND (SELECT h.backoff <= '5 min' FROM netdash.host h WHERE h.id = j.host_id) THEN 0
            ELSE 1 END
        """

    /// Records failed attempts: the job waits for its next attempt, or is dead after the last one.
    ///
    /// Returns the jobs, and whether an attempt is counted; the id of a job that another worker has claimed is missing.
    /// A host's waits are longer than five minutes after as long an outage, so that a restart costs no job an attempt,
    /// and the jobs of a host that is gone end. It may be repeated as the one of finished jobs: a job that has the cause
    /// already counts once.
    static let failFunction = """
        CREATE FUNCTION netdash.fail(
            ids bigint[], epochs bigint[], causes text[], kinds text[], finals boolean[], refusals boolean[],
            base interval)
        RETURNS TABLE (job_id bigint, is_counted boolean) \(planned) AS $$
        DECLARE
            most integer;
            hosts integer[];
            told bigint[];
            counts boolean[];
        BEGIN
            SELECT q.tries INTO most FROM netdash.queue q;
            WITH \(reported("causes, kinds, finals, refusals", "cause, kind, final, refused", and: countedAttempt + " AS tried")),
            judged AS (
                SELECT l.id, l.cause, l.kind, l.tried, l.final OR j.attempts + l.tried >= most AND l.tried > 0 AS dies
                FROM locked l JOIN netdash.job j ON j.id = l.id
            ), changed AS (
                UPDATE netdash.job j SET
                    state = CASE WHEN j.wish = 'cancel' THEN 'cancelled' WHEN l.dies THEN 'dead'
                        WHEN j.wish = 'pause' THEN 'paused' ELSE 'waiting' END,
                    attempts = j.attempts + l.tried, cause = l.cause, cause_kind = l.kind, wish = 'run',
                    lease_until = NULL, worker = CASE WHEN l.dies THEN j.worker END,
                    not_before = now() + LEAST(interval '1 hour', base * power(2, LEAST(j.attempts, 20)))
                        * (0.75 + random() / 2),
                    ended = CASE WHEN l.dies OR j.wish = 'cancel' THEN now() END
                FROM judged l WHERE j.id = l.id RETURNING j.id, j.host_id, l.tried
            )
            SELECT array_agg(c.id), array_agg(c.tried > 0), array_agg(DISTINCT c.host_id) INTO told, counts, hosts
            FROM changed c;
            PERFORM netdash.wake(hosts, true);
            RETURN QUERY SELECT * FROM unnest(told, counts);
            IF COALESCE(cardinality(told), 0) < cardinality(ids) THEN
                RETURN QUERY
                    SELECT j.id, \(countedAttempt) > 0
                    FROM netdash.job j JOIN unnest(ids, epochs, causes, refusals) AS r(id, epoch, cause, refused)
                        ON j.id = r.id
                    WHERE j.epoch = r.epoch AND (j.state <> 'running') IS TRUE AND j.cause IS NOT DISTINCT FROM r.cause
                        AND j.id <> ALL (COALESCE(told, '{}'));
            END IF;
        END $$
        """

    /// Returns jobs to the queue, or parks them where their wish says so; no attempt is counted.
    ///
    /// A job that awaits a host waits as long as that is held.
    static let handBackFunction = """
        CREATE FUNCTION netdash.hand_back(
            ids bigint[], epochs bigint[], bytes bigint[], causes text[], awaited text[], waits interval[])
        RETURNS SETOF bigint \(planned) AS $$
        DECLARE
            hosts integer[];
            told bigint[];
        BEGIN
            WITH \(reported("bytes, causes, awaited, waits", "received, cause, awaited, pause")), changed AS (
                UPDATE netdash.job j SET
                    state = CASE j.wish WHEN 'pause' THEN 'paused' WHEN 'cancel' THEN 'cancelled' ELSE 'waiting' END,
                    received = COALESCE(l.received, j.received), worker = NULL, lease_until = NULL, wish = 'run',
                    cause = COALESCE(l.cause, j.cause),
                    cause_kind = CASE WHEN l.cause IS NULL THEN j.cause_kind END,
                    not_before = GREATEST(j.not_before, now() + l.pause,
                        (SELECT h.not_before FROM netdash.host h WHERE h.host = l.awaited)),
                    ended = CASE WHEN j.wish = 'cancel' THEN now() END
                FROM locked l WHERE j.id = l.id RETURNING j.id, j.host_id
            )
            SELECT array_agg(c.id), array_agg(DISTINCT c.host_id) INTO told, hosts FROM changed c;
            PERFORM netdash.wake(hosts, true);
            RETURN QUERY SELECT unnest(told);
        END $$
        """

    /// Keeps all workers from a host: as long as the host has asked for and a second at least, or longer with each
    /// refusal that names no time.
    ///
    /// Refusals of requests that were under way together count as one: they find the host held.
    static let holdFunction = """
        CREATE FUNCTION netdash.hold(held text, asked interval, why text) RETURNS timestamptz
        LANGUAGE plpgsql AS $$
        DECLARE
            until timestamptz;
        BEGIN
            IF asked < interval '1 s' THEN
                asked := interval '1 s';
            END IF;
            INSERT INTO netdash.host AS h (host, not_before, backoff, cause)
            VALUES (held, now() + COALESCE(asked, interval '5 s'),
                CASE WHEN asked IS NULL THEN interval '5 s' ELSE '0' END, why)
            ON CONFLICT (host) DO UPDATE SET
                cause = why,
                backoff = CASE WHEN asked IS NOT NULL OR h.not_before > now() THEN h.backoff
                    ELSE LEAST(interval '1 hour', GREATEST(interval '5 s', h.backoff * 2)) END,
                not_before = GREATEST(
                    h.not_before,
                    now() + COALESCE(asked, CASE WHEN h.not_before > now() THEN h.backoff
                        ELSE LEAST(interval '1 hour', GREATEST(interval '5 s', h.backoff * 2)) END))
            RETURNING h.not_before INTO until;
            PERFORM pg_notify('\(channel)', 'hold ' || held);
            RETURN until;
        END $$
        """

    /// Ends the hold of a host and its waits after refusals; returns whether it was held.
    ///
    /// Jobs that a redirect has brought to it wait for the time that they were told.
    static let releaseFunction = """
        CREATE FUNCTION netdash.release(held text) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
            was_held boolean;
        BEGIN
            SELECT h.not_before > now() INTO was_held FROM netdash.host h WHERE h.host = held FOR UPDATE;
            UPDATE netdash.host h
            SET not_before = '-infinity', backoff = '0', cause = NULL,
                due = CASE WHEN h.due = 'infinity' THEN h.due ELSE GREATEST(now(), h.next_start) END
            WHERE h.host = held AND (was_held OR h.backoff > '0');
            PERFORM pg_notify('\(channel)', 'work');
            RETURN COALESCE(was_held, false);
        END $$
        """

    /// Sets what is wanted of jobs: at once where no worker has them, else by their worker.
    static let wishFunction = """
        CREATE FUNCTION netdash.wish(ids bigint[], wanted text) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            hosts integer[];
            changes bigint;
        BEGIN
            WITH locked AS (
                SELECT j.id FROM netdash.job j
                WHERE j.id = ANY (ids) AND j.state IN ('waiting', 'paused', 'running') ORDER BY j.id FOR UPDATE
            ), changed AS (
                UPDATE netdash.job j SET
                    wish = CASE WHEN j.state = 'running' THEN wanted ELSE 'run' END,
                    ended = CASE WHEN j.state <> 'running' AND wanted = 'cancel' THEN now() END,
                    state = CASE WHEN j.state = 'running' THEN j.state
                        WHEN wanted = 'pause' THEN 'paused' WHEN wanted = 'cancel' THEN 'cancelled' ELSE 'waiting' END
                FROM locked l WHERE j.id = l.id RETURNING j.host_id
            )
            SELECT array_agg(DISTINCT c.host_id), count(*) INTO hosts, changes FROM changed c;
            PERFORM netdash.wake(hosts, true);
            PERFORM pg_notify('\(channel)', 'wish');
            RETURN changes;
        END $$
        """

    /// Returns dead or cancelled jobs to the queue, as if they were new: the first `most` ones behind an id.
    ///
    /// Tells the last one's id, NULL where there was none, and how many they are.
    static let retryFunction = """
        CREATE FUNCTION netdash.retry(old_state text, of_host text, with_cause text, after bigint, most integer)
        RETURNS TABLE (last_id bigint, changes bigint) LANGUAGE plpgsql AS $$
        DECLARE
            hosts integer[];
        BEGIN
            WITH locked AS (
                SELECT j.id FROM netdash.job j
                WHERE j.state = old_state AND old_state IN ('dead', 'cancelled') AND j.id > after
                    AND (of_host IS NULL OR j.host_id = (SELECT h.id FROM netdash.host h WHERE h.host = of_host))
                    AND (with_cause IS NULL OR strpos(lower(j.cause), lower(with_cause)) > 0
                        OR strpos(lower(j.cause_kind), lower(with_cause)) > 0)
                ORDER BY j.id LIMIT most FOR UPDATE
            ), changed AS (
                UPDATE netdash.job j
                SET state = 'waiting', attempts = 0, lapses = 0, not_before = '-infinity', ended = NULL, wish = 'run',
                    worker = NULL
                FROM locked l WHERE j.id = l.id RETURNING j.id, j.host_id
            )
            SELECT array_agg(DISTINCT c.host_id), max(c.id), count(*) INTO hosts, last_id, changes FROM changed c;
            PERFORM netdash.wake(hosts, true);
            PERFORM pg_notify('\(channel)', 'work');
            RETURN NEXT;
        END $$
        """
}
