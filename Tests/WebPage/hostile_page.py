"""A page of another site that tries every way of a browser to have a service add a download."""

import http.server
import pathlib
import typing

import slow_server
from browser import Browser

# Another name of this machine, as a page's owner can make one for it.
OTHER_NAME = "rebound.example"

# Each way adds a download with its own name; `send` is the address of the interface.
PAGE = """<!DOCTYPE html><title>hostile</title><form method=post enctype=text/plain target=frame></form>
<iframe name=frame></iframe><script>
const send = new URLSearchParams(location.search).get('send');
const call = name => JSON.stringify({id: 1, method: 'aria2.addUri',
    params: [['http://127.0.0.1:9/' + name], {pause: 'true'}]});
const query = name => send + '?method=aria2.addUri&id=1&params='
    + encodeURIComponent(btoa(JSON.stringify([['http://127.0.0.1:9/' + name], {pause: 'true'}])));
const quiet = () => {};
const ways = {
    cors: name => fetch(send, {method: 'POST', body: call(name)}),
    json: name => fetch(send, {method: 'POST', body: call(name), headers: {'Content-Type': 'application/json'}}),
    simple: name => fetch(send, {method: 'POST', body: call(name), mode: 'no-cors'}),
    beacon: async name => navigator.sendBeacon(send, call(name)),
    get: name => fetch(query(name), {mode: 'no-cors', referrerPolicy: 'no-referrer'}),
    socket: name => new Promise(done => {
        const socket = new WebSocket(send.replace('http', 'ws'));
        socket.onopen = () => { socket.send(call(name)); };
        socket.onmessage = socket.onerror = socket.onclose = done;
    }),
    script: name => element('script', 'src', query(name) + '&jsoncallback=f'),
    image: name => element('img', 'src', query(name)),
    style: name => element('link', 'href', query(name), {rel: 'stylesheet'}),
    frame: name => element('iframe', 'src', query(name)),
    form: name => new Promise(done => {
        const form = document.forms[0], input = document.createElement('input');
        // The text around the equals sign is part of the JSON.
        const [start, end] = call(name).split('"pause"');
        [input.name, input.value] = [start + '"x":"', '","pause"' + end];
        form.action = send;
        form.append(input);
        document.querySelector('[name=frame]').onload = done;
        form.submit();
    }),
};
function element(kind, name, value, more = {}) {
    return new Promise(done => {
        const made = Object.assign(document.createElement(kind), more, {onload: done, onerror: done});
        made[name] = value;
        document.body.append(made);
    });
}
const limit = promise => Promise.race([promise, new Promise(done => setTimeout(done, 5000))]).catch(quiet);
Promise.all(Object.keys(ways).map(name => limit(ways[name](name)))).then(() => { document.title = 'done'; });
</script>"""
WAYS = {"cors", "json", "simple", "beacon", "get", "socket", "script", "image", "style", "frame", "form"}


class HostilePage(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_: object) -> None:
        pass


def try_all(browser: Browser, page: str, address: str, wait_for: typing.Callable[..., str | None]) -> str | None:
    """Opens the page, and waits until every way has been tried."""
    browser.open(f"{page}/?send=http://{address}/jsonrpc")
    return wait_for(lambda: browser.evaluate("document.title") == "done")


def serve() -> slow_server.Server:
    return slow_server.serve(HostilePage)


def names(rows: list[dict[str, typing.Any]]) -> set[str]:
    return {pathlib.PurePosixPath(row["url"]).name for row in rows}
