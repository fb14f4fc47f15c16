extension Expectation {
    /// Lists, names, times and rules.
    static let queue = [
        Expectation("A pattern makes several", "netdash \"$S/n[1-3].bin\" && test -s n1.bin -a -s n2.bin -a -s n3.bin"),
        Expectation(
            "A list of lines", "printf '%s\\n' $S/a.bin $S/b.bin > l; netdash -i l && test -s a.bin -a -s b.bin"),
        Expectation("A list on standard input", "echo $S/a.bin | netdash -i - && test -s a.bin"),
        Expectation("aria2's list", "printf '%s\\n  out=x\\n  dir=d\\n' $S/a.bin > l; netdash -i l && test -s d/x"),
        Expectation("CSV with a header", "printf 'url,out\\n%s,x\\n' $S/a.bin > l.csv; netdash -i l.csv && test -s x"),
        Expectation(
            "JSON Lines",
            "printf '{\"url\":\"%s\",\"out\":\"x\"}\\n' $S/a.bin > l.jsonl; netdash -i l.jsonl && test -s x"),
        Expectation("Lines of curl", "echo \"curl -o x $S/a.bin\" > l; netdash -i l && test -s x"),
        Expectation("curl's -K", "printf 'url = \"%s\"\\noutput = \"x\"\\n' $S/a.bin > k; netdash -K k && test -s x"),
        Expectation(
            "Links of a page", "netdash -i $S/index.html --accept '*.bin' && test -s a.bin -a -s b.bin -a ! -e note.txt"
        ),
        Expectation(
            "HAR",
            """
            printf '{"log":{"entries":[{"request":{"method":"GET","url":"%s"}}]}}' $S/a.bin > l.har
            netdash -i l.har && test -s a.bin
            """),
        Expectation(
            "An unknown format is called so", "printf '\\001\\002' > l; netdash -i l", status: 2, says: "l:1"),
        Expectation(
            "after= waits for a task",
            "printf '%s\\n  id=one\\n%s\\n  after=one\\n' $S/a.bin $S/b.bin > l; netdash -i l && test -s b.bin"),
        Expectation(
            "after= of a failed task",
            "printf '%s\\n  id=one\\n%s\\n  after=one\\n' $S/gone $S/b.bin > l; netdash -i l",
            status: 1, says: "one"),
        Expectation(
            "limit-rate for one task", "printf '%s\\n  limit-rate=1M\\n' $S/a.bin > l; netdash -i l && test -s a.bin"),
        Expectation(
            "A priority for one task", "printf '%s\\n  priority=high\\n' $S/a.bin > l; netdash -i l && test -s a.bin"),
        Expectation("A rate of requests", "netdash --rate 50/s \"$S/n[1-3].bin\" && test -s n3.bin"),
        Expectation(
            "A rate of a server is learned", "netdash --rate-per-host 4/s \"$S/rated.bin?[1-6]\"", says: "6 completed"),
        Expectation("--only outside its hours waits", "netdash --dry-run --only 22:00-06:00 $S/a.bin", says: "a.bin"),
        Expectation("--start-at", "netdash --start-at +1s $S/a.bin && test -s a.bin"),
        Expectation(
            "An archive skips what was fetched",
            "netdash --archive h $S/a.bin; rm a.bin; netdash --archive h $S/a.bin; test ! -e a.bin"),
        Expectation(
            "--if-exists same skips an equal file",
            "netdash $S/a.bin; netdash --if-exists same $S/a.bin && test ! -e 'a.bin.1'", says: "a.bin"),
        Expectation(
            "--if-exists ask needs a dashboard", "netdash $S/a.bin; netdash --if-exists ask $S/a.bin",
            status: 2, says: "ask"),
        Expectation("A second file gets a number", "netdash $S/a.bin $S/a.bin?2; ls | wc -l", says: "2"),
        Expectation("--dry-run writes nothing", "netdash --dry-run $S/a.bin && test ! -e a.bin", says: "a.bin", "2.9"),
        Expectation("--relative keeps folders", "netdash --relative $S/dir/sub/c.bin && test -s dir/sub/c.bin"),
        Expectation(
            "Names by template", "netdash -o '#1/{name}' \"$S/n[1-2].bin\" && test -s 1/n1.bin -a -s 2/n2.bin"),
        Expectation(
            "Rules per host in the configuration",
            """
            mkdir -p .config/netdash; printf '[host "127.0.0.1"]\\nuser = u:p\\n' > .config/netdash/config
            XDG_CONFIG_HOME=$PWD/.config netdash $S/basic.bin && test -s basic.bin
            """),
        Expectation(
            "Named profiles",
            """
            mkdir -p .config/netdash; printf '[profile "night"]\\ndir = down\\n' > .config/netdash/config
            XDG_CONFIG_HOME=$PWD/.config netdash --profile night $S/a.bin && test -s down/a.bin
            """),
        Expectation("A retry table of one's own", "netdash --retry-on 404 $S/odd.bin && test -s odd.bin"),
        Expectation("A busy server is asked again", "netdash $S/busy.bin && test -s busy.bin"),
        Expectation(
            "A checksum that is wrong", "netdash --checksum md5=00000000000000000000000000000000 $S/a.bin", status: 5),
        Expectation(
            "Failed tasks as a list", "netdash --failed-to f $S/gone; grep -q gone f && netdash -i f", status: 1,
            says: "410"),
        Expectation("JSON for programs", "netdash --json $S/a.bin", says: "\"completed\""),
        Expectation(
            "A service takes tasks from scripts",
            """
            export XDG_RUNTIME_DIR=$PWD/run; mkdir -m 700 run; netdash serve -d "$PWD" 2> log & service=$!
            while ! grep -q Serving log; do sleep 0.05; done
            netdash add $S/a.bin; netdash wait; netdash status; netdash stop; wait $service; test -s a.bin
            """, says: "done"),
    ]
}
