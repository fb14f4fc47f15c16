extension Expectation {
    /// The first minutes of a person who knows curl, wget, aria2c or HTTPie.
    static let welcome = [
        Expectation("A file gets the server's name", "netdash $S/a.bin && test $(wc -c < a.bin) = 3000"),
        Expectation("-O says what to write", "netdash -O $S/a.bin", status: 2, says: "-o NAME"),
        Expectation("-L is what happens anyway", "netdash -L -o x $S/moved && test $(wc -c < x) = 3000"),
        Expectation("-o names the file", "netdash -o x.bin $S/a.bin && test -s x.bin"),
        Expectation("-o - prints the bytes", "netdash -o - $S/a.bin | wc -c", says: "3000"),
        Expectation("-s is quiet", "test -z \"$(netdash -s $S/a.bin 2>&1)\" && test -s a.bin"),
        Expectation("--fail is not taken for --failed-to", "netdash --fail $S/gone", status: 1, says: "410"),
        Expectation("--retry takes a number", "netdash --retry 5 $S/a.bin && test -s a.bin"),
        Expectation("-H sends a header", "netdash request -H 'X-One: 1' $S/echo", says: "X-One"),
        Expectation(
            "-d of a request says what to write", "netdash request -d a=1 $S/echo", status: 2, says: "-b for the body"),
        Expectation("--data sends a body", "netdash request --data a=1 $S/echo", says: "\"POST\"", "a=1"),
        Expectation("A cookie under -b is refused", "netdash request -b 'sid=1' $S/echo", status: 2, says: "--cookie"),
        Expectation("-I says what to write", "netdash -I $S/a.bin", status: 2, says: "netdash request HEAD --include"),
        Expectation("HEAD asks for the head alone", "netdash request HEAD --include $S/a.bin", says: "200"),
        Expectation("-X names the method", "netdash request -X DELETE $S/echo", says: "\"DELETE\""),
        Expectation("-u gives credentials", "netdash -u u:p $S/basic.bin && test -s basic.bin"),
        Expectation(
            "-T says what to write", "echo 1 > a.txt; netdash -T a.txt $S/put/a.txt", status: 2,
            says: "netdash upload"),
        Expectation("aria2's -s is told apart", "netdash --split=4 $S/a.bin && test -s a.bin"),
        Expectation("aria2's --max-tries", "netdash --max-tries=3 $S/a.bin && test -s a.bin"),
        Expectation("aria2's --continue=true", "netdash --continue=true $S/a.bin && test -s a.bin"),
        Expectation("aria2's --http-user", "netdash --http-user=u --http-passwd=p $S/a.bin", status: 2, says: "--user"),
        Expectation("wget's -P", "netdash -P down $S/a.bin && test -s down/a.bin"),
        Expectation("wget's --no-check-certificate", "netdash --no-check-certificate $S/a.bin && test -s a.bin"),
        Expectation("A word is a command or an error", "netdash statsu", status: 2, says: "status"),
        Expectation("httpie's GET", "netdash GET $S/echo", says: "\"GET\""),
        Expectation(
            "httpie's items", "netdash POST $S/echo name=value n:=1 X-Two:2", says: "\\\"name\\\"", "\\\"n\\\":1",
            "X-Two"),
        Expectation("A refused port ends soon", "netdash http://127.0.0.1:1/f", status: 4, says: "refused"),
        Expectation("https that meets http names it", "netdash https://${S#http://}/a.bin", status: 1, says: "http://"),
        Expectation("Without a scheme http is tried", "netdash ${S#http://}/a.bin && test -s a.bin"),
        Expectation("The version names the build", "netdash --version", says: "netdash 0", "libcurl"),
        Expectation("Doctor tells about a URL", "netdash doctor $S/a.bin", says: "ranges", "HTTP/1.1"),
        Expectation("Help finds everyday words", "netdash help throttle", says: "--limit-rate"),
        Expectation(
            "Completions for three shells", "for s in bash zsh fish; do netdash completions $s | head -1; done"),
    ]
}
