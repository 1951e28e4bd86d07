"""A loopback server that runs in a thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from assay.io.loopback_server import Server


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Run a server in a thread, and stop it at the end."""
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
