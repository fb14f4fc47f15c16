import Foundation

/// A root, an authority below it and certificates of servers, made by the openssl command in a folder of its own.
struct CertificateWorkshop: Sendable {
    /// A certificate of a server.
    struct Leaf: Sendable {
        var names = "IP:127.0.0.1,DNS:localhost"
        /// When it begins and ends to be valid, as openssl writes moments: `20990101000000Z`.
        var start = "20200101000000Z"
        var end = "21200101000000Z"
        /// What it is for.
        var usage = "serverAuth"
        /// What its signature is made with.
        var digest = "sha256"
        /// The bits of its RSA key; nil for a key on a curve.
        var keyBits: Int?
        /// Whether nobody but itself has signed it.
        var isSelfSigned = false
    }

    let folder: TemporaryFolder
    private var path: String { folder.path + "/" }

    /// Makes root and authority.
    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array(Self.configuration.utf8), to: "ca.cnf")
        try folder.write([], to: "index.txt")
        try folder.write(Array("01\n".utf8), to: "serial")
        try makeRequest("root", "/CN=Workshop root", bits: nil)
        try sign("root", by: nil, extensions: "basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign", Leaf())
        try makeRequest("intermediate", "/CN=Workshop authority", bits: nil)
        try sign(
            "intermediate", by: "root", extensions: "basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign", Leaf())
    }

    /// Makes a certificate of a server, with its key, under a name of the folder.
    func make(_ name: String, _ leaf: Leaf = Leaf()) throws {
        try makeRequest(name, "/CN=Server", bits: leaf.keyBits)
        let extensions =
            "basicConstraints=CA:FALSE\nsubjectAltName=\(leaf.names)\nextendedKeyUsage=\(leaf.usage)\n"
            + "keyUsage=digitalSignature,keyEncipherment"
        try sign(name, by: leaf.isSelfSigned ? nil : "intermediate", extensions: extensions, leaf)
    }

    /// Where a file of the folder is.
    func file(_ name: String) -> String { path + name }

    /// A certificate in DER form.
    func certificate(_ name: String) throws -> Data {
        try OpenSSLServer.run(["x509", "-in", file(name + ".pem"), "-outform", "DER", "-out", file(name + ".der")])
        return try Data(contentsOf: URL(fileURLWithPath: file(name + ".der")))
    }

    private func makeRequest(_ name: String, _ subject: String, bits: Int?) throws {
        let key =
            bits.map { ["-newkey", "rsa:\($0)"] } ?? ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        try OpenSSLServer.run(
            ["req", "-new", "-nodes", "-subj", subject, "-keyout", file(name + ".key"), "-out", file(name + ".csr")]
                + key)
    }

    private func sign(_ name: String, by issuer: String?, extensions: String, _ leaf: Leaf) throws {
        try folder.write(Array(extensions.utf8), to: "extensions.cnf")
        let signer =
            issuer.map { ["-cert", file($0 + ".pem"), "-keyfile", file($0 + ".key")] }
            ?? ["-selfsign", "-keyfile", file(name + ".key")]
        try OpenSSLServer.run(
            [
                "ca", "-batch", "-notext", "-config", file("ca.cnf"), "-in", file(name + ".csr"), "-out",
                file(name + ".pem"),
            ]
                + ["-startdate", leaf.start, "-enddate", leaf.end, "-md", leaf.digest, "-rand_serial"]
                + ["-extfile", file("extensions.cnf"), "-outdir", folder.path] + signer, in: folder.path)
    }

    private static let configuration = """
        [ca]
        default_ca = workshop
        [workshop]
        database = index.txt
        serial = serial
        unique_subject = no
        policy = any
        [any]
        commonName = supplied

        """
}
