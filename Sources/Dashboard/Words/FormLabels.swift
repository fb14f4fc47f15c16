/// The words of the add form, beside its fields and on its buttons.
package enum FormLabels {
    package static let url: SafeText = "URL"
    package static let kind: SafeText = "Kind"
    package static let method: SafeText = "Method"
    package static let headers: SafeText = "Headers"
    package static let extra: SafeText = "Extra"
    package static let file: SafeText = "File"
    package static let body: SafeText = "Body"
    package static let name: SafeText = "Save as"
    package static let checksum: SafeText = "Checksum"
    package static let options: SafeText = "Options"
}

/// The buttons of the add form.
package enum FormButtons {
    package static let add: SafeText = "Add"
    package static let save: SafeText = "Save"
    package static let addAnother: SafeText = "Add another"
    package static let addAsNew: SafeText = "Add as new"
    package static let cancel: SafeText = "Cancel"
}

/// Hints of the add form beside its fields.
package enum FormHints {
    package static let saveRestarts: SafeText = "Save stops the task and restarts it with the changes"
    package static let savePauses: SafeText = "Save stops the task and pauses it with the changes"

    // MARK: What was left out of pasted text

    package static func otherProgram(_ program: SafeText) -> SafeText {
        "Not a curl command but \(program); paste the URL"
    }
    package static func shellVariable(_ name: SafeText) -> SafeText {
        "Replace the shell variable \(name) by its value, then paste"
    }
    package static let unreadableCommand: SafeText = "Cannot read the curl command"
    package static func ignoredOptions(_ names: SafeText) -> SafeText { "Left out of the curl command: \(names)" }
    package static func refusedBody(_ names: SafeText) -> SafeText { "Cannot read a curl command with \(names)" }
    package static func ignoredCommands(_ count: Int) -> SafeText {
        "Left out \(count, "further command", "further commands"); netdash -i FILE reads all"
    }
    package static func ignoredOptionLines(_ count: Int) -> SafeText {
        "Left out \(count, "option line", "option lines"): use a list file"
    }
    package static func ignoredLines(_ count: Int) -> SafeText {
        "Left out \(count, "line", "lines") without a URL"
    }
    package static let secondURL = "a second URL"
    package static let secondBody = "a second body"
    package static let unjoinedFile = "a file beside other data"
    package static let fileInQuery = "-G with data from a file"
    package static let nextRequest = "the requests behind --next"
    package static let textBehindField = "-F with text behind a semicolon"
    package static let automaticReferer = "-e with ;auto"
    package static func textBehind(_ sign: String) -> String { "what follows \(sign)" }
    package static let headAlone = "-I with a method or a body"
    package static let failWithFile = "-f with the file of a request"
    package static let nameOfServer = "-J without a download"
    package static let formType = "-F with another Content-Type"
    package static let printedJar = "-c with standard output"
    package static let offset = "-C with a number"
    package static func missingValue(of option: String) -> String { "\(option) without a value" }
    package static let inputData = "data from standard input"
    package static func body(of option: String) -> String { "the body of \(option)" }
}

/// Why the add form cannot be accepted.
package enum FormErrors {
    package static let noURL: SafeText = "Enter a URL"
    package static let taskRemoved: SafeText = "This task was removed meanwhile; Add as new adds it again"
    package static let noPath: SafeText = "Enter a path"
    package static let listIsBeingRead: SafeText = "Another list is being read; try again"
    package static let noFileName: SafeText = "Enter a file name"
    package static let seconds: SafeText = "Enter seconds from 1 to 86400"
    package static let typedCommand: SafeText = "Paste the curl command; a typed one is not read"
    package static let spaceInURL: SafeText = "URLs cannot contain spaces; use %20"
    package static let unsupportedScheme: SafeText = "Only http and https URLs work"
    package static let onlyURLKept: SafeText = "History keeps URL and method; enter the rest"
    package static let hiddenURL: SafeText = "Retype the URL: parts are hidden"
    package static let headers: SafeText = "Use Name: value; Name: value"
    package static let hiddenValue: SafeText = "Retype the hidden value (•••)"
    package static func lostFields(_ names: SafeText) -> SafeText { "Retype the values of \(names): not saved" }
    package static let hiddenBody: SafeText = "Retype the hidden body (***)"
    package static func hiddenOption(_ option: String) -> String { "Retype the hidden value of \(option) (***)" }
    package static func variableUnset(_ option: String, _ name: String) -> String {
        "\(option): variable \(name) is not set"
    }
    package static let bodyOptions = "Forms and JSON are only for data requests"
    package static func twoBodies(_ first: String, _ second: String) -> String {
        "Both \(first) and \(second) are a body; keep one"
    }
    package static let bodyAndOption: SafeText = "The Extra line has a body already"
    package static let oneNameForSeveral: SafeText = "For several URLs end a folder with / or use {host}/{name}"
    package static let oneChecksumForSeveral: SafeText = "Several URLs cannot have one checksum"
    package static let listOfDownloads: SafeText = "A list is only for downloads; each line may say kind="
    package static let method: SafeText = "A method has only letters, e.g. GET or PUT"
    package static let patternInTask = "The pattern in the URL matches several; write \\[ for a literal bracket"
    package static func pattern(_ problem: String) -> String { "URL pattern \(problem)" }
    package static let folder: SafeText = "End a folder with /"
    package static func longName(_ limit: Int) -> SafeText { "The name is longer than \(limit) bytes" }
    package static let noUpload: SafeText = "Enter a file to upload"
    package static let checksum: SafeText = "Use sha-256=… with all digits"
}

/// Errors in a URL's host and port.
package enum URLErrors {
    package static let noHost: SafeText = "The URL has no host"
    package static let openAddress: SafeText = "The IPv6 address lacks a closing ]"
    package static let textBehindAddress: SafeText = "Only :port may follow an IPv6 address"
    package static let hostCharacters: SafeText = "Invalid characters in the host name"
    package static let port: SafeText = "The port must be from 1 to 65535"
}

/// Errors in a pattern in a URL, behind the argument's name.
package enum GlobErrors {
    package static func tooMany(_ limit: Int) -> String { "matches more than \(limit) URLs; use a list" }
    package static func range(_ text: String, _ problem: String) -> String {
        "[\(text)] \(problem); --globoff keeps brackets and braces as they are"
    }
    package static func open(_ bracket: Character) -> String {
        "\(bracket) is not closed; --globoff keeps brackets and braces as they are"
    }
    package static let nested = "braces in braces are not expanded; --globoff keeps brackets and braces as they are"
    package static let mixedCase = "mixes lower and upper case"
    package static let mixedKinds = "mixes a letter and a number"
    package static let backwards = "does not count up; use [1-9] or [1-9:2]"
}

/// Warnings about settings that weaken the security of tasks.
package enum TrustErrors {
    package static func certificatesUnverified(_ hosts: SafeText) -> SafeText {
        "insecure: certificate of \(hosts) not verified"
    }
    package static func more(_ count: Int) -> SafeText { "\(count) more" }
}
