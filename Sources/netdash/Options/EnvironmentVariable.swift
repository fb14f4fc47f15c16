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
            meaning: "the folder of netdash/config, when it is an absolute path (~/.config)"),
        EnvironmentVariable(
            names: ["XDG_STATE_HOME"],
            meaning:
                "the folder of the folder netdash with saved sessions and their looks, when it is an absolute path (~/.local/state)"
        ),
        EnvironmentVariable(
            names: ["ACCESSIBLE"],
            meaning:
                "when it is 1, and standard input and standard error are terminals, lines and commands by line instead of the dashboard"
        ),
        EnvironmentVariable(
            names: ["NO_COLOR"],
            meaning: "when it is not empty, the dashboard uses no colour; --color always wins over it"),
        EnvironmentVariable(
            names: ["TERM"],
            meaning: "the terminal's type; without one, or when it is dumb, lines are printed"),
        EnvironmentVariable(
            names: ["TERMINFO", "TERMINFO_DIRS"],
            meaning: "folders in which ncurses looks for the description of that type"),
        EnvironmentVariable(
            names: ["ESCDELAY"],
            meaning: "milliseconds, 0 to 10000, after which an Esc stands for itself (25)"),
        EnvironmentVariable(
            names: ["PAGER"],
            meaning: "the command that shows a body or a file, as a shell reads it (less)"),
        EnvironmentVariable(
            names: ["PATH"],
            meaning: "the folders in which xdg-open is looked for before a file is opened with it"),
        EnvironmentVariable(
            names: ["LC_ALL", "LC_CTYPE", "LANG"],
            meaning:
                "characters outside of ASCII are drawn in a UTF-8 locale only; host names beyond ASCII are found in every locale"
        ),
        EnvironmentVariable(
            names: ["http_proxy", "https_proxy", "all_proxy", "no_proxy"],
            meaning:
                "proxies by the scheme of the URL, and what is reached without one; all but http_proxy in capital letters too; --proxy and --noproxy win over them"
        ),
        EnvironmentVariable(
            names: ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"],
            meaning:
                "a file or a folder of authorities that are believed instead of the system's; --cacert and --capath win over them"
        ),
        EnvironmentVariable(
            names: ["SSH_CONNECTION"],
            meaning: "when it is not empty, the dashboard draws 2 frames a second instead of 4; --fps wins over it"),
        EnvironmentVariable(
            names: ["WT_SESSION", "ConEmuANSI", "VTE_VERSION", "TERM_PROGRAM", "TMUX", "STY"],
            meaning: "what terminals say of themselves: whether progress can be shown in the taskbar or the tab"),
        EnvironmentVariable(
            names: ["TMPDIR"],
            meaning: "the folder of temporary files: those of the demo, and bodies shown in the pager (/tmp)"),
        EnvironmentVariable(
            names: ["HOME"],
            meaning:
                "the folder of the user, for the paths above and for ~ in front of a path in the configuration file"),
    ]
}
