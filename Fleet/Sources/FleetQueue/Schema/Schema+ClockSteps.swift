// Every time in the queue is the server's, and a time server may set that clock back: by an hour, all that was written
// before is an hour ahead. Claims would find no host, and no lease would end, until the clock is there again.

extension Schema {
    /// The least step back that counts as one: two transactions may see their moments in the other order.
    private static let leastStep = "interval '1 s'"

    /// The statements of ``reapFunction`` after a step back, which the time of its last call shows.
    ///
    /// Waits and holds end earlier by the step, also the few of the time since then. A lease lasts from now on as long as
    /// it did from its worker's last beat. The order of the locks is the one of all changes.
    static let afterStepBack = """
        IF last_reap > now() + \(leastStep) THEN
            step := last_reap - now();
            UPDATE netdash.host h SET
                due = CASE WHEN h.due < 'infinity' THEN LEAST(h.due, now()) ELSE h.due END,
                not_before = CASE WHEN h.not_before > now() THEN h.not_before - step ELSE h.not_before END,
                next_start = CASE WHEN h.next_start > now() THEN h.next_start - step ELSE h.next_start END
            FROM (
                SELECT i.id FROM netdash.host i
                WHERE i.due > now() AND i.due < 'infinity' OR i.not_before > now() OR i.next_start > now()
                ORDER BY i.id FOR UPDATE
            ) ahead
            WHERE h.id = ahead.id;
            UPDATE netdash.job j SET not_before = j.not_before - step
            FROM (
                SELECT i.id FROM netdash.job i
                WHERE i.state = 'waiting' AND i.not_before > '-infinity' AND i.not_before > now()
                ORDER BY i.id LIMIT 100000 FOR UPDATE SKIP LOCKED
            ) ahead
            WHERE j.id = ahead.id;
            UPDATE netdash.job j SET lease_until = now() + (j.lease_until - ahead.beat)
            FROM (
                SELECT i.id, w.beat FROM netdash.job i JOIN netdash.worker w ON w.name = i.worker
                WHERE i.state = 'running' AND w.beat > now() ORDER BY i.id FOR UPDATE OF i SKIP LOCKED
            ) ahead
            WHERE j.id = ahead.id;
            UPDATE netdash.worker w SET beat = now() WHERE w.beat > now();
        END IF;
        """
}
