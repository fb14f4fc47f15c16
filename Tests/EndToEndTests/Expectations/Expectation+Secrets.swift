extension Expectation {
    /// Secrets, routes and links that expire.
    static let secrets = [
        Expectation("@env: reads a secret", "P=u:p netdash -u @env:P $S/basic.bin && test -s basic.bin"),
        Expectation("@file: reads a secret", "echo u:p > f; netdash -u @file:f $S/basic.bin && test -s basic.bin"),
        Expectation("@cmd: reads a secret", "netdash -u '@cmd:echo u:p' $S/basic.bin && test -s basic.bin"),
        Expectation("--bearer", "netdash --bearer t0k $S/bearer.bin && test -s bearer.bin"),
        Expectation(".netrc", "echo 'machine 127.0.0.1 login u password p' > .netrc; netdash --netrc $S/basic.bin"),
        Expectation("--secret-header", "netdash request --secret-header 'X-Key: abc' $S/echo", says: "X-Key"),
        Expectation("--cookie sends one", "netdash request --cookie sid=1 $S/echo", says: "sid=1"),
        Expectation("--cookie-jar writes a file", "netdash --cookie-jar j $S/a.bin && test -e j"),
        Expectation(
            "--cookies-from without Firefox", "netdash --cookies-from firefox $S/a.bin", status: 2, says: "irefox"),
        Expectation("--tlsv1.3 on plain http", "netdash --tlsv1.3 $S/a.bin && test -s a.bin"),
        Expectation("--tls-max knows its values", "netdash --tls-max 9 $S/a.bin", status: 2, says: "1.2"),
        Expectation("--hsts", "netdash --hsts h $S/a.bin && test -s a.bin"),
        Expectation("--ip-tos", "netdash --ip-tos LE $S/a.bin && test -s a.bin"),
        Expectation("--resolve", "netdash --resolve e.example:${S##*:}:127.0.0.1 http://e.example:${S##*:}/a.bin"),
        Expectation("--connect-to", "netdash --connect-to e.example:80:127.0.0.1:${S##*:} http://e.example/a.bin"),
        Expectation("A proxy that is away", "netdash --proxy http://127.0.0.1:1 $S/a.bin", status: 4, says: "proxy"),
        Expectation(
            "A fresh URL from a command", "netdash --on-expired \"echo $S/a.bin\" -o x $S/gone && test -s x"),
    ]
}
