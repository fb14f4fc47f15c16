extension Schema {
    /// The longest wait of a claim for a host that another worker has locked.
    static let longestHostWait = "20ms"

    /// Claims waiting jobs for a worker: hosts that may be asked now first, then their jobs.
    ///
    /// A host's row is locked before its running jobs are counted, and each statement of the function sees what was
    /// committed before it began, so two workers cannot exceed a host's limit together. Another worker's host is
    /// skipped, and only the host at hand is locked, so that many workers find many hosts. Every time is the server's.
    ///
    /// A count reads all running jobs of a host. Only claims make them more, so while the last count and what was claimed
    /// since leave enough room there is none.
    ///
    /// Where all hosts are other workers', the first of them is waited for, but not long: slots would be empty until the
    /// next claim. Any other lock is waited for as usual, such as the one of an index that is made. The last claim of
    /// such a host may have counted jobs that this transaction has ended, so it is counted again even if it seems full.
    ///
    /// The hosts of which the worker has as many jobs as it may are left out, or the others would be behind them.
    ///
    /// The ids of the chosen jobs are an array, because a plan that does not know their number would read all jobs.
    static let claimFunction = """
        CREATE FUNCTION netdash.claim(
            for_worker text, most integer, per_host integer, lease interval, known integer, full_hosts text[])
        RETURNS TABLE (
            job_id bigint, job_epoch bigint, job_host text, job_url text, job_dest text, job_kind text,
            job_request jsonb, job_checksum text, job_attempts integer, job_rate bigint, job_start text)
        \(planned) AS $$
        DECLARE
            settings netdash.queue%ROWTYPE;
            usual_timeout text := current_setting('lock_timeout');
            timeout text;
            candidate integer;
            busy integer;
            has_host boolean := false;
            h netdash.host%ROWTYPE;
            chosen bigint[];
            wanted integer := most;
            running integer;
            own integer;
            free integer;
            got integer;
            top smallint;
            next_due timestamptz;
        BEGIN
            SELECT * INTO settings FROM netdash.queue;
            IF settings.version <> known THEN
                RAISE EXCEPTION 'schema %', settings.version USING ERRCODE = 'ND001';
            END IF;
            FOR candidate IN
                (SELECT host.id FROM netdash.host WHERE host.due <= now() AND host.host <> ALL (full_hosts)
                ORDER BY host.priority DESC, host.due LIMIT most + 64)
                UNION ALL SELECT NULL
            LOOP
                EXIT WHEN wanted <= 0;
                IF candidate IS NULL THEN
                    EXIT WHEN busy IS NULL OR has_host;
                    BEGIN
                        timeout := set_config('lock_timeout', '\(longestHostWait)', true);
                        SELECT * INTO h FROM netdash.host WHERE host.id = busy FOR UPDATE;
                        timeout := set_config('lock_timeout', usual_timeout, true);
                    EXCEPTION WHEN lock_not_available THEN
                        EXIT;
                    END;
                ELSE
                    SELECT * INTO h FROM netdash.host WHERE host.id = candidate AND host.due <= now()
                    FOR UPDATE SKIP LOCKED;
                END IF;
                IF NOT FOUND THEN
                    busy := COALESCE(busy, candidate);
                    CONTINUE;
                END IF;
                has_host := true;
                next_due := GREATEST(h.not_before, h.next_start);
                IF next_due > now() THEN
                    UPDATE netdash.host SET due = next_due WHERE host.id = h.id;
                    CONTINUE;
                END IF;
                running := h.running_at_most;
                IF per_host IS NOT NULL OR h.rate IS NOT NULL
                    OR (running + wanted <= COALESCE(h.active, settings.host_active)) IS NOT TRUE
                THEN
                    SELECT count(*), count(*) FILTER (WHERE j.worker = for_worker) INTO running, own
                    FROM netdash.job j WHERE j.host_id = h.id AND j.state = 'running';
                    CONTINUE WHEN own >= per_host;
                END IF;
                free := LEAST(
                    COALESCE(h.active, settings.host_active) - running, wanted, per_host - own,
                    CASE WHEN h.gap > '0' THEN 1 END);
                IF free <= 0 THEN
                    UPDATE netdash.host SET due = now() + interval '200 ms', running_at_most = running
                    WHERE host.id = h.id;
                    CONTINUE;
                END IF;
                chosen := ARRAY(
                    SELECT w.id FROM netdash.job w
                    WHERE w.host_id = h.id AND w.state = 'waiting' AND w.not_before <= now()
                    ORDER BY w.priority DESC, w.not_before, w.id LIMIT free FOR UPDATE SKIP LOCKED);
                RETURN QUERY
                    UPDATE netdash.job j
                    SET state = 'running', worker = for_worker, lease_until = now() + lease, epoch = j.epoch + 1
                    WHERE j.id = ANY (chosen)
                    RETURNING j.id, j.epoch, h.host, j.url, j.dest, j.kind, j.request, j.checksum, j.attempts,
                        (h.rate - 1) / (running + cardinality(chosen)) + 1,
                        CASE WHEN h.gap > '0' THEN (now() + h.gap)::text END;
                got := cardinality(chosen);
                wanted := wanted - got;
                SELECT w.priority INTO top FROM netdash.job w WHERE w.host_id = h.id AND w.state = 'waiting'
                ORDER BY w.priority DESC, w.not_before, w.id LIMIT 1;
                IF top IS NULL THEN
                    next_due := 'infinity';
                ELSIF h.gap > '0' AND got > 0 THEN
                    next_due := now() + h.gap;
                ELSIF got < free THEN
                    SELECT min(w.not_before) INTO next_due FROM netdash.job w
                    WHERE w.host_id = h.id AND w.state = 'waiting';
                    next_due := GREATEST(next_due, now() + interval '20 ms');
                ELSE
                    next_due := now();
                END IF;
                UPDATE netdash.host
                SET due = next_due, priority = COALESCE(top, 0), running_at_most = running + got,
                    next_start = CASE WHEN h.gap > '0' AND got > 0 THEN now() + h.gap ELSE host.next_start END
                WHERE host.id = h.id;
            END LOOP;
        END $$
        """

    /// Renews a worker's leases, stores its counts, and returns what is wanted of each job that is still its own.
    static let beatFunction = """
        CREATE FUNCTION netdash.beat(
            for_worker text, ids bigint[], epochs bigint[], bytes bigint[], totals bigint[], lease interval,
            worker_slots integer, worker_stats jsonb, known integer)
        RETURNS TABLE (job_id bigint, job_wish text, host_held boolean) \(planned) AS $$
        DECLARE
            found_version integer;
        BEGIN
            SELECT q.version INTO found_version FROM netdash.queue q;
            IF found_version <> known THEN
                RAISE EXCEPTION 'schema %', found_version USING ERRCODE = 'ND001';
            END IF;
            INSERT INTO netdash.worker AS w (name, slots, stats) VALUES (for_worker, worker_slots, worker_stats)
            ON CONFLICT (name) DO UPDATE SET beat = now(), slots = worker_slots, stats = worker_stats;
            RETURN QUERY
                WITH \(reported("bytes, totals", "received, total"))
                UPDATE netdash.job j
                SET lease_until = now() + lease, received = COALESCE(l.received, j.received),
                    total = COALESCE(l.total, j.total)
                FROM locked l WHERE j.id = l.id
                RETURNING j.id, j.wish,
                    COALESCE((SELECT h.not_before > now() FROM netdash.host h WHERE h.id = j.host_id), false);
        END $$
        """

    /// Returns jobs of expired leases to the queue, unless the server has just started: then workers renew first.
    ///
    /// A freed job has another epoch, so that no late report of its old worker looks like a repeated one. One worker does
    /// it at a time, three times per lease. A host whose hint is wrong is found here too, and so is a clock that was set.
    static let reapFunction = """
        CREATE FUNCTION netdash.reap(grace interval) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            hosts integer[];
            freed_jobs bigint;
            last_reap timestamptz;
            step interval;
        BEGIN
            IF NOT pg_try_advisory_xact_lock(7310246102) THEN
                RETURN 0;
            END IF;
            SELECT q.reaped INTO last_reap FROM netdash.queue q;
            UPDATE netdash.queue q SET reaped = now() WHERE q.reaped < now() - grace / 3 OR q.reaped > now();
            IF NOT FOUND THEN
                RETURN 0;
            END IF;
            \(afterStepBack)
            \(afterGap)
            IF now() >= pg_postmaster_start_time() AND now() < pg_postmaster_start_time() + grace THEN
                RETURN 0;
            END IF;
            WITH expired AS (
                SELECT j.id FROM netdash.job j WHERE j.state = 'running' AND j.lease_until < now()
                ORDER BY j.id LIMIT 5000 FOR UPDATE SKIP LOCKED
            ), freed AS (
                UPDATE netdash.job j SET
                    state = CASE WHEN j.wish = 'cancel' THEN 'cancelled' WHEN j.wish = 'pause' THEN 'paused'
                        WHEN j.lapses >= 9 THEN 'dead' ELSE 'waiting' END,
                    cause = CASE WHEN j.wish = 'run' AND j.lapses >= 9 THEN 'lease expired 10 times' ELSE j.cause END,
                    cause_kind = CASE WHEN j.wish <> 'run' OR j.lapses < 9 THEN j.cause_kind END,
                    ended = CASE WHEN j.wish = 'run' AND j.lapses >= 9 OR j.wish = 'cancel' THEN now() END,
                    lapses = j.lapses + 1, epoch = j.epoch + 1, wish = 'run', worker = NULL, lease_until = NULL
                FROM expired e WHERE j.id = e.id RETURNING j.host_id
            )
            SELECT array_agg(DISTINCT f.host_id), count(*) INTO hosts, freed_jobs FROM freed f;
            PERFORM netdash.wake(hosts, true);
            UPDATE netdash.host h SET due = now()
            FROM (
                SELECT i.id FROM netdash.host i
                WHERE i.due = 'infinity'
                    AND EXISTS (SELECT FROM netdash.job j WHERE j.host_id = i.id AND j.state = 'waiting')
                ORDER BY i.id FOR UPDATE SKIP LOCKED
            ) idle
            WHERE h.id = idle.id;
            DELETE FROM netdash.worker w WHERE w.beat < now() - interval '1 day';
            PERFORM netdash.fold();
            RETURN freed_jobs;
        END $$
        """

    /// Makes the hosts of a list due as early as they may be asked.
    ///
    /// With jobs that wait again, it first waits for claims that hold the hosts: such a claim has not seen the jobs, and
    /// may be about to write that the host has none. With finished jobs only full hosts have something new, and one that
    /// a claim is just leaving as full is looked at again after 200 ms; their waits after refusals end too.
    ///
    /// A transaction locks its hosts once and in the order of their numbers, as everywhere, so that two of them cannot
    /// wait for each other.
    static let wakeFunction = """
        CREATE FUNCTION netdash.wake(hosts integer[], has_new_jobs boolean) RETURNS void \(planned) AS $$
        BEGIN
            IF has_new_jobs THEN
                PERFORM FROM netdash.host w WHERE w.id = ANY (hosts) ORDER BY w.id FOR UPDATE;
                UPDATE netdash.host h SET due = GREATEST(now(), h.not_before, h.next_start)
                WHERE h.id = ANY (hosts) AND h.due > GREATEST(now(), h.not_before, h.next_start);
                RETURN;
            END IF;
            UPDATE netdash.host h
            SET backoff = '0', due = CASE WHEN h.due = 'infinity' THEN h.due
                ELSE LEAST(h.due, GREATEST(now(), h.not_before, h.next_start)) END
            FROM (
                SELECT w.id FROM netdash.host w
                WHERE w.id = ANY (hosts) AND (
                    w.backoff > '0' OR (w.due < 'infinity' AND w.due > GREATEST(now(), w.not_before, w.next_start)))
                ORDER BY w.id FOR UPDATE
            ) chosen
            WHERE h.id = chosen.id;
        END $$
        """
}
