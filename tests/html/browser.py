# A browser without a window, driven through its debugging pipe: nothing but Chromium and Python is needed.
#
#   with Browser() as browser:
#       page = browser.open("file:///tmp/report.html", width=1280, height=900)
#       page.press("ArrowRight")
#       page.value("document.title")
import base64
import json
import os
import shutil
import subprocess
import tempfile


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    return None


class Browser:
    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def plumb():
            os.dup2(theirs_in, 90), os.dup2(theirs_out, 91)  # out of the way of 3 and 4 first
            os.dup2(90, 3), os.dup2(91, 4)

        self.process = subprocess.Popen(
            [find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--user-data-dir=" + self.folder.name, "about:blank"],
            preexec_fn=plumb, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in), os.close(theirs_out)
        self.reader, self.writer = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb", buffering=0)
        self.number = 0
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, EOFError):
            pass
        self.process.wait(timeout=20)
        self.reader.close(), self.writer.close()
        self.folder.cleanup()

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.writer.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        data = bytearray()
        while True:
            byte = self.reader.read(1)
            if not byte:
                raise EOFError("the browser ended")
            if byte == b"\0":
                return json.loads(data)
            data += byte

    def open(self, address, width=1280, height=900, dark=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        page.size(width, height)
        page.theme(dark)
        page.call("Page.enable")
        page.call("Page.navigate", url=address)
        page.wait("document.readyState === 'complete'")
        return page


class Page:
    keys = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "Enter": 13}

    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def theme(self, dark):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression):
        self.value(f"new Promise((yes, no) => {{ let n = 0; const look = () => ({expression}) ? yes(true) : ++n > 2000 ? no('waited in vain') : setTimeout(look, 10); look(); }})")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=self.keys.get(key, ord(key[0].upper())),
                      **({"text": key} if kind == "keyDown" and len(key) == 1 else {}))

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector):
        self.value(f"document.querySelector({json.dumps(selector)}).click()")

    def screenshot(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF")["data"])
