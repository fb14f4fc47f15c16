"""Prints what a release consists of as SPDX 2.3 in JSON: netdash, what is linked into it, and each library beside it.

  bill.py VERSION COMMIT SECONDS SWIFT FOLDER <BUNDLED

BUNDLED has a line for each file beside the program: name, Debian package and its version, separated by tabs. FOLDER is what
is packed; the files there are listed with their digests.
"""
import hashlib
import json
import pathlib
import re
import sys
import time


def package(name, version, license_name, purpose="LIBRARY", **more):
    identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
    return {
        "SPDXID": identifier, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": license_name,
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose, **more,
    }


def purl(text):
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": text}]


def mimalloc_version():
    header = pathlib.Path("Sources/CAllocator/mimalloc/include/mimalloc.h").read_text()
    number = re.search(r"#define MI_MALLOC_VERSION\s+(\d+)", header)[1]
    return f"{int(number[:-2])}.{int(number[-2])}.{int(number[-1])}" if len(number) == 3 else number


def main():
    version, commit, seconds, swift, folder = sys.argv[1:]
    own = package("netdash", version, "MIT", "APPLICATION", sourceInfo=f"commit {commit}")
    linked = [
        package("mimalloc", mimalloc_version(), "MIT"),
        package("swift-runtime", swift, "Apache-2.0 WITH Swift-exception",
                comment="Standard library, Foundation and Dispatch, linked statically"),
    ]
    bundled = {}
    for line in sys.stdin:
        name, debian, debian_version = line.rstrip("\n").split("\t")
        bundled.setdefault((debian, debian_version), []).append(name)
    beside = [
        package(debian, debian_version, "NOASSERTION", comment="Files: " + ", ".join(sorted(names)),
                externalRefs=purl(f"pkg:deb/debian/{debian}@{debian_version.replace(':', '%3A')}?distro=debian-12"))
        for (debian, debian_version), names in sorted(bundled.items())
    ]
    files = []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file() and not path.is_symlink():
            name = "./" + str(path.relative_to(folder))
            content = path.read_bytes()
            files.append({
                "SPDXID": "SPDXRef-File-" + hashlib.sha1(name.encode()).hexdigest(), "fileName": name,
                "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                              {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}],
                "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
            })
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    relations += [(own["SPDXID"], "STATIC_LINK", each["SPDXID"]) for each in linked]
    relations += [(own["SPDXID"], "DYNAMIC_LINK", each["SPDXID"]) for each in beside]
    relations += [(own["SPDXID"], "CONTAINS", each["SPDXID"]) for each in files]
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"netdash-{version}", "documentNamespace": f"urn:netdash:sbom:{version}:{commit}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds))),
                         "creators": ["Tool: netdash-script-release"]},
        "packages": [own, *linked, *beside], "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relations],
    }, sys.stdout, indent=1)
    print()


main()
