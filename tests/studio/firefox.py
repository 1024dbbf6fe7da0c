"""A Firefox that a test drives: Mozilla's Marionette protocol, which Firefox speaks itself."""
import json
import socket
import subprocess
import tempfile
import time


class Firefox:
    """Headless Firefox with a page of the disk. Use as a context."""

    PORT = 2828

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            ["firefox-esr", "--marionette", "--headless", "--no-remote", "--profile", self.profile.name],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(120):
            try:
                self.socket = socket.create_connection(("127.0.0.1", self.PORT), timeout=120)
                break
            except OSError:
                time.sleep(0.5)
        self.number = 0
        self.rest = b""
        self._receive()  # who it is
        self.ask("WebDriver:NewSession", {})
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def _receive(self):
        while b":" not in self.rest:
            self.rest += self.socket.recv(65536)
        size, self.rest = self.rest.split(b":", 1)
        while len(self.rest) < int(size):
            self.rest += self.socket.recv(65536)
        message, self.rest = self.rest[:int(size)], self.rest[int(size):]
        return json.loads(message)

    def ask(self, command, parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def get(self, url):
        self.ask("WebDriver:Navigate", {"url": url})

    def execute_script(self, script, *args):
        return self.ask("WebDriver:ExecuteScript", {"script": script, "args": list(args)})["value"]
