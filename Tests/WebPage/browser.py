"""Chromium without a window, driven by the W3C's WebDriver protocol."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import time
import typing
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Removes what a page looks for before it opens a WebSocket: it then sends requests instead.
WITHOUT_SOCKETS = "delete window.WebSocket"


class Missing(Exception):
    """A program that the story needs and that is not here."""


class Browser:
    """One window; chromedriver and Chromium end with it."""

    def __init__(self, folder: pathlib.Path, has_sockets: bool = True, words: tuple[str, ...] = ()) -> None:
        driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
        if driver is None or chromium is None:
            raise Missing("chromium and chromedriver (Debian: chromium, chromium-driver) are not on this machine")
        self.log = folder / "chromedriver.log"
        self.process = subprocess.Popen(
            [driver, "--port=0", "--allowed-ips="], stdout=self.log.open("w"), stderr=subprocess.STDOUT,
            env=os.environ | {"HOME": str(folder)})
        self.root = f"http://127.0.0.1:{self._port()}"
        self.session = ""
        arguments = ["--headless=new", "--window-size=1000,560", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-proxy-server", f"--user-data-dir={folder / 'chromium'}", *words]
        if os.geteuid() == 0:
            # Chromium's sandbox does not start for root.
            arguments.append("--no-sandbox")
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"args": arguments, "binary": chromium}}
        self.session = "/session/" + self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        if not has_sockets:
            self.call("POST", "/goog/cdp/execute", {
                "cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": WITHOUT_SOCKETS}})

    def _port(self) -> int:
        for _ in range(200):
            for line in self.log.read_text().splitlines():
                if "on port " in line and "started successfully" in line:
                    return int(line.rsplit("on port ", 1)[1].strip("."))
            time.sleep(0.05)
        raise Missing(f"chromedriver does not start: {self.log.read_text()[-300:]}")

    def _send(self, method: str, path: str, body: dict | None = None) -> typing.Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.root + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise LookupError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def call(self, method: str, path: str, body: dict | None = None) -> typing.Any:
        return self._send(method, self.session + path, body)

    def end(self) -> None:
        if self.session:
            self.call("DELETE", "")
        self.process.terminate()
        self.process.wait()

    # What a person does.

    def open(self, url: str) -> None:
        self.call("POST", "/url", {"url": url})

    def _element(self, selector: str) -> str:
        return "/element/" + self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def has(self, selector: str) -> bool:
        return bool(self.call("POST", "/elements", {"using": "css selector", "value": selector}))

    def click(self, selector: str) -> None:
        self.call("POST", self._element(selector) + "/click", {})

    def write(self, selector: str, text: str) -> None:
        element = self._element(selector)
        self.call("POST", element + "/clear", {})
        self.call("POST", element + "/value", {"text": text})

    def text(self, selector: str) -> str:
        return self.call("GET", self._element(selector) + "/text")

    def evaluate(self, expression: str, *arguments: object) -> typing.Any:
        return self.call("POST", "/execute/sync", {"script": "return " + expression, "args": list(arguments)})

    def messages(self) -> list[str]:
        """What the page has said since the last question."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def picture(self) -> bytes:
        return base64.b64decode(self.call("GET", "/screenshot"))
