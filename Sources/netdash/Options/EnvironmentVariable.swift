/// The environment variables of the program and its libraries, for the manual page.
struct EnvironmentVariable: Sendable {
    /// One name, or several with a common meaning.
    var names: [String]
    /// The sentence without its full stop.
    var meaning: String

    /// Every variable, the ones for netdash alone first.
    static let all = [
        EnvironmentVariable(
            names: ["XDG_CONFIG_HOME"],
            meaning: "folder of netdash/config, if it is an absolute path (~/.config)"),
        EnvironmentVariable(
            names: ["XDG_STATE_HOME"],
            meaning: "folder of netdash/ with saved sessions and layouts, if it is an absolute path (~/.local/state)"),
        EnvironmentVariable(
            names: ["XDG_RUNTIME_DIR"],
            meaning: "folder of netdash/ with the sockets of services, if it is an absolute path (/tmp/netdash-UID)"),
        EnvironmentVariable(
            names: ["NETDASH_SOCKET"],
            meaning: "socket of the service for windows and commands, such as one of ssh -L; none is started"
        ),
        EnvironmentVariable(
            names: ["LISTEN_PID", "LISTEN_FDS", "NOTIFY_SOCKET"],
            meaning: "the socket of netdash serve and the readiness that it reports, as systemd sets them"),
        EnvironmentVariable(
            names: ["ACCESSIBLE"],
            meaning: "1: plain lines and typed commands instead of the dashboard, if stdin and stderr are terminals"),
        EnvironmentVariable(
            names: ["NO_COLOR"],
            meaning: "if not empty, colours are off in the dashboard; --color takes precedence"),
        EnvironmentVariable(
            names: ["TERM"],
            meaning: "terminal type; if it is missing or dumb, plain lines are printed"),
        EnvironmentVariable(
            names: ["TERMINFO", "TERMINFO_DIRS"],
            meaning: "folders where ncurses looks for the description of the terminal"),
        EnvironmentVariable(
            names: ["ESCDELAY"],
            meaning: "milliseconds, 0 to 10000, after which Esc counts as a key of its own (25)"),
        EnvironmentVariable(
            names: ["PAGER"],
            meaning: "shell command that shows a body or a file (less)"),
        EnvironmentVariable(
            names: ["PATH"],
            meaning: "folders searched for xdg-open before it opens a file"),
        EnvironmentVariable(
            names: ["LC_ALL", "LC_CTYPE", "LANG"],
            meaning: "the screen shows characters beyond ASCII in a UTF-8 locale only; host names work in every locale"),
        EnvironmentVariable(
            names: ["http_proxy", "https_proxy", "all_proxy", "no_proxy"],
            meaning:
                "proxies by URL scheme, and exceptions; all but http_proxy in capitals too; --proxy and --noproxy win"),
        EnvironmentVariable(
            names: ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"],
            meaning: "file or folder of CA certificates to use instead of the system's; --cacert and --capath win"),
        EnvironmentVariable(
            names: ["SSH_CONNECTION"],
            meaning: "if not empty, the frame rate is 2 per second instead of 4; --fps takes precedence"),
        EnvironmentVariable(
            names: ["WT_SESSION", "ConEmuANSI", "VTE_VERSION", "TERM_PROGRAM", "TMUX", "STY"],
            meaning: "set by terminals: whether progress can be shown in the taskbar or the tab"),
        EnvironmentVariable(
            names: ["TMPDIR"],
            meaning: "folder for temporary files of the demo and of the pager (/tmp)"),
        EnvironmentVariable(
            names: ["HOME"],
            meaning: "home folder, for the paths above and for ~ at the start of a path in the configuration file"),
    ]
}
