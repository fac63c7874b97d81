"""Indices of books for the tests, each with a unique name."""

import itertools
import os
import time

URL = os.environ["VARVE_URL"]

# Arguments of a client for a secured server.
ACCESS = (
    {
        "ca_certs": os.environ["VARVE_CA"],
        "http_auth": (os.environ["VARVE_USER"], os.environ["VARVE_PASSWORD"]),
    }
    if "VARVE_CA" in os.environ
    else {}
)

_run = format(int(time.time() * 1000), "x")
_count = itertools.count(1)

MAPPING = {
    "settings": {"number_of_shards": 2, "number_of_replicas": 0},
    "mappings": {
        "properties": {
            "title": {"type": "text"},
            "genre": {"type": "keyword"},
            "pages": {"type": "integer"},
        }
    },
}


def name(word):
    return f"py-{word}-{_run}-{next(_count)}"


def documents(count):
    genres = ["geology", "novel", "cooking"]
    for number in range(count):
        yield {"title": f"book {number}", "genre": genres[number % 3], "pages": number}


def actions(index, count):
    for number, document in enumerate(documents(count)):
        yield {"_index": index, "_id": str(number), "_source": document}
