import Dashboard

/// The scenes of the form that adds downloads, uploads and requests.
extension GoldenScenes {
    static func form(_ size: Size) -> Model {
        var model = start(size, rows: [])
        send(&model, .key(.character("a")))
        send(&model, .paste("https://dl.example.net/big.iso\nhttps://dl.example.net/second.iso\n"))
        for key: KeyPress in [.tab, .tab, .tab, .character("x")] { send(&model, .key(key)) }
        send(&model, .key(.enter))
        return model
    }

    static func existingForm(_ size: Size) -> Model {
        var model = start(size, rows: [])
        send(&model, .paste("https://dl.example.net/big.iso"))
        return model
    }

    /// A part is there that is not to be gone on with; the focus is on a button.
    static func overForm(_ size: Size) -> Model {
        var model = start(size, rows: [])
        model.jobDefaults.continues = false
        send(&model, .paste("https://dl.example.net/big.iso"))
        for key: KeyPress in [.backTab, .left] { send(&model, .key(key)) }
        return model
    }

    static func anotherForm(_ size: Size) -> Model {
        var model = start(size, rows: [])
        send(&model, .paste("https://dl.example.net/big.iso"))
        send(&model, .key(.control("n")))
        return model
    }

    static func editForm(_ size: Size) -> Model {
        var model = pressed(size, "n")
        var job = Job(kind: .download, url: "https://ci.example.org/nightly/build-8812.zip", directory: "/home/me/dl")
        job.headers = ["Authorization": "Bearer secret"]
        if let id = model.current?.id { send(&model, .edit(id, job)) }
        return model
    }

    static func curlForm(_ size: Size) -> Model {
        var model = start(size, rows: [])
        let command = """
            curl 'https://api.example.com/v2/orders' -H 'Accept: application/json' -u 'me:secret' \\
              --data-raw '{"id": 17}' --max-time 5
            """
        send(&model, .paste(command))
        return model
    }
}
