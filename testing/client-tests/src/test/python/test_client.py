"""The calls of a first session with opensearch-py."""

import unittest

from opensearchpy import ConflictError, NotFoundError, OpenSearch, RequestError, Search

import books


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = OpenSearch(books.URL, timeout=60, http_compress=True, **books.ACCESS)
        cls.index = books.name("client")
        cls.client.indices.create(index=cls.index, body=books.MAPPING)
        for number, document in enumerate(books.documents(30)):
            cls.client.index(index=cls.index, id=str(number), body=document)
        cls.client.indices.refresh(index=cls.index)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def test_search(self):
        found = self.client.search(
            index=self.index,
            body={"query": {"bool": {"filter": [{"term": {"genre": "novel"}}]}}, "sort": ["pages"], "size": 3},
        )
        self.assertEqual(10, found["hits"]["total"]["value"])
        self.assertEqual([1, 4, 7], [hit["_source"]["pages"] for hit in found["hits"]["hits"]])

    def test_aggregations(self):
        found = self.client.search(
            index=self.index,
            body={"size": 0, "aggs": {"genres": {"terms": {"field": "genre"}, "aggs": {"p": {"avg": {"field": "pages"}}}}}},
        )
        buckets = found["aggregations"]["genres"]["buckets"]
        self.assertEqual([10, 10, 10], [bucket["doc_count"] for bucket in buckets])
        self.assertEqual(15.0, {b["key"]: b["p"]["value"] for b in buckets}["cooking"] - 0.5)

    def test_query_builder(self):
        search = Search(using=self.client, index=self.index).filter("term", genre="novel").sort("-pages")[:2]
        self.assertEqual([28, 25], [hit.pages for hit in search.execute()])

    def test_point_in_time(self):
        point = self.client.create_pit(index=self.index, params={"keep_alive": "1m"})["pit_id"]
        found = self.client.search(body={"pit": {"id": point}, "size": 1, "sort": ["pages"]})
        self.assertEqual(30, found["hits"]["total"]["value"])
        self.assertTrue(self.client.delete_pit(body={"pit_id": [point]})["pits"][0]["successful"])

    def test_msearch(self):
        answers = self.client.msearch(
            body=[{"index": self.index}, {"query": {"match_all": {}}, "size": 0}, {"index": "py-nowhere"}, {}]
        )["responses"]
        self.assertEqual([200, 404], [answer["status"] for answer in answers])

    def test_errors_have_their_classes(self):
        with self.assertRaises(NotFoundError) as missing:
            self.client.get(index="py-nowhere", id="1")
        self.assertEqual("index_not_found_exception", missing.exception.error)
        with self.assertRaises(ConflictError):
            self.client.create(index=self.index, id="0", body={})
        with self.assertRaises(RequestError) as wrong:
            self.client.search(index=self.index, body={"query": {"nonsense": {}}})
        self.assertEqual("parsing_exception", wrong.exception.error)

    def test_update_by_query_and_delete_by_query(self):
        index = books.name("byquery")
        self.client.indices.create(index=index, body=books.MAPPING)
        for number, document in enumerate(books.documents(6)):
            self.client.index(index=index, id=str(number), body=document, refresh=True)
        self.assertEqual(6, self.client.update_by_query(index=index, params={"refresh": "true"})["updated"])
        body = {"query": {"term": {"genre": "novel"}}}
        self.assertEqual(2, self.client.delete_by_query(index=index, body=body)["deleted"])

    def test_cat(self):
        rows = self.client.cat.indices(index=self.index, params={"format": "json"})
        self.assertEqual("30", rows[0]["docs.count"])
        self.assertIn("health", self.client.cat.indices(params={"v": "true"}))

    def test_templates_and_aliases(self):
        name = books.name("template")
        self.client.indices.put_index_template(
            name=name,
            body={"index_patterns": [name + "-*"], "template": {"aliases": {name: {}}, "mappings": {"properties": {"x": {"type": "keyword"}}}}},
        )
        self.client.index(index=name + "-1", body={"x": "a"}, params={"refresh": "true"})
        self.assertEqual(1, self.client.count(index=name)["count"])
        self.client.indices.delete_index_template(name=name)


if __name__ == "__main__":
    unittest.main()
