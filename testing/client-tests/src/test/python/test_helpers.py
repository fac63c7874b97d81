"""The helpers of opensearch-py, as its users call them."""

import unittest

from opensearchpy import OpenSearch, helpers

import books


class Helpers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = OpenSearch(books.URL, timeout=60, **books.ACCESS)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def index(self, word):
        name = books.name(word)
        self.client.indices.create(index=name, body=books.MAPPING)
        return name

    def filled(self, word, count):
        name = self.index(word)
        helpers.bulk(self.client, books.actions(name, count), refresh=True)
        return name

    def count(self, index):
        return self.client.count(index=index)["count"]

    def test_bulk(self):
        index = self.index("bulk")
        written, errors = helpers.bulk(self.client, books.actions(index, 1000), refresh="wait_for")
        self.assertEqual((1000, []), (written, errors))
        self.assertEqual(1000, self.count(index))

    def test_bulk_reports_what_was_refused(self):
        index = self.index("refused")
        actions = list(books.actions(index, 3))
        actions[1]["_source"]["pages"] = "many"
        with self.assertRaises(helpers.BulkIndexError) as caught:
            helpers.bulk(self.client, actions)
        (error,) = caught.exception.errors
        self.assertEqual(400, error["index"]["status"])
        self.assertEqual("mapper_parsing_exception", error["index"]["error"]["type"])

    def test_bulk_of_every_kind(self):
        index = self.filled("kinds", 3)
        actions = [
            {"_op_type": "update", "_index": index, "_id": "0", "doc": {"pages": 100}},
            {"_op_type": "delete", "_index": index, "_id": "1"},
            {"_op_type": "create", "_index": index, "_id": "9", "pages": 9},
            {"_op_type": "update", "_index": index, "_id": "7", "doc": {"pages": 7}, "doc_as_upsert": True},
        ]
        written, _ = helpers.bulk(self.client, actions, refresh=True)
        self.assertEqual(4, written)
        self.assertEqual(4, self.count(index))
        self.assertEqual(100, self.client.get(index=index, id="0")["_source"]["pages"])

    def test_streaming_bulk(self):
        index = self.index("streaming")
        answers = list(helpers.streaming_bulk(self.client, books.actions(index, 250), chunk_size=100))
        self.assertEqual(250, len(answers))
        self.assertTrue(all(ok for ok, _ in answers))

    def test_streaming_bulk_goes_on_after_an_error(self):
        index = self.index("errors")
        actions = list(books.actions(index, 10))
        actions[4]["_op_type"] = "create"
        actions[5] = {**actions[4], "_op_type": "create"}
        answers = list(helpers.streaming_bulk(self.client, actions, raise_on_error=False))
        self.assertEqual(9, sum(ok for ok, _ in answers))
        self.assertEqual([409], [item["create"]["status"] for ok, item in answers if not ok])

    def test_parallel_bulk(self):
        index = self.index("parallel")
        answers = list(
            helpers.parallel_bulk(self.client, books.actions(index, 1000), thread_count=4, chunk_size=100)
        )
        self.assertTrue(all(ok for ok, _ in answers))
        self.client.indices.refresh(index=index)
        self.assertEqual(1000, self.count(index))

    def test_scan(self):
        index = self.filled("scan", 500)
        hits = list(
            helpers.scan(self.client, index=index, query={"query": {"term": {"genre": "novel"}}}, size=50)
        )
        self.assertEqual(167, len(hits))
        self.assertEqual(167, len({hit["_id"] for hit in hits}))

    def test_scan_in_order(self):
        index = self.filled("ordered", 100)
        hits = helpers.scan(
            self.client, index=index, query={"sort": [{"pages": "desc"}]}, size=30, preserve_order=True
        )
        self.assertEqual(list(range(99, -1, -1)), [hit["_source"]["pages"] for hit in hits])

    def test_reindex(self):
        source = self.filled("source", 300)
        target = self.index("target")
        written, _ = helpers.reindex(self.client, source, target, query={"query": {"range": {"pages": {"lt": 100}}}})
        self.assertEqual(100, written)
        self.client.indices.refresh(index=target)
        self.assertEqual(100, self.count(target))


if __name__ == "__main__":
    unittest.main()
