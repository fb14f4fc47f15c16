// Every time in the queue is the server's, and a time server may set that clock back: by an hour, all that was written
// before is an hour ahead. Claims would find no host, and no lease would end, until the clock is there again. After a
// step forward all leases would be over.

extension Schema {
    /// The least step back that counts as one: two transactions may see their moments in the other order.
    private static let leastStep = "interval '1 s'"

    /// The statements of ``reapFunction`` after a step back, which the time of its last call shows.
    ///
    /// Waits and holds end earlier by the step, also the few of the time since then. A lease lasts from now on as long as
    /// it would have from that last call on, whether or not its worker is still listed. One that ends within the first
    /// half of the step was given after it.
    ///
    /// Hosts come last, because claims and reports of all workers wait for them. The order of the locks is otherwise the
    /// one of all changes.
    static let afterStepBack = """
        IF last_reap > now() + \(leastStep) THEN
            step := last_reap - now();
            UPDATE netdash.worker w SET beat = now() WHERE w.beat > now();
            UPDATE netdash.job j SET not_before = j.not_before - step
            FROM (
                SELECT i.id FROM netdash.job i
                WHERE i.state = 'waiting' AND i.not_before > '-infinity' AND i.not_before > now()
                ORDER BY i.id FOR UPDATE SKIP LOCKED
            ) ahead
            WHERE j.id = ahead.id;
            UPDATE netdash.job j
            SET lease_until = LEAST(j.lease_until, now() + GREATEST(j.lease_until - last_reap, grace))
            FROM (
                SELECT i.id FROM netdash.job i
                WHERE i.state = 'running' AND i.lease_until > now() + step / 2 ORDER BY i.id FOR UPDATE SKIP LOCKED
            ) ahead
            WHERE j.id = ahead.id;
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
        END IF;
        """

    /// The statements of ``reapFunction`` after a lease or more in which no worker has called it.
    ///
    /// The database was away, another server has taken its place, or its clock was set forward: all leases last as if
    /// they began now. Or jobs were added while the clock was ahead, and no worker was there to notice its step back:
    /// hosts are due that nothing keeps workers from. Their first job decides, which the index has.
    static let afterGap = """
        IF last_reap < now() - grace THEN
            UPDATE netdash.job j SET lease_until = now() + grace
            FROM (
                SELECT i.id FROM netdash.job i
                WHERE i.state = 'running' AND i.lease_until < now() + grace AND last_reap > '-infinity'
                ORDER BY i.id FOR UPDATE SKIP LOCKED
            ) living
            WHERE j.id = living.id;
            UPDATE netdash.host h SET due = now()
            FROM (
                SELECT i.id FROM netdash.host i
                WHERE i.due > now() AND i.due < 'infinity' AND i.not_before <= now() AND i.next_start <= now() AND (
                    SELECT w.not_before <= now() FROM netdash.job w WHERE w.host_id = i.id AND w.state = 'waiting'
                    ORDER BY w.priority DESC, w.not_before, w.id LIMIT 1)
                ORDER BY i.id FOR UPDATE SKIP LOCKED
            ) overdue
            WHERE h.id = overdue.id;
        END IF;
        """
}
