"""The asynchronous client of opensearch-py and its helpers."""

import asyncio
import unittest

from opensearchpy import AsyncOpenSearch, NotFoundError, helpers

import books


class AsyncClient(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.client = AsyncOpenSearch(books.URL, timeout=60, **books.ACCESS)

    async def asyncTearDown(self):
        await self.client.close()

    async def index(self, word):
        name = books.name(word)
        await self.client.indices.create(index=name, body=books.MAPPING)
        return name

    async def filled(self, word, count):
        name = await self.index(word)
        await helpers.async_bulk(self.client, books.actions(name, count), refresh=True)
        return name

    async def test_info_and_health(self):
        self.assertEqual("opensearch", (await self.client.info())["version"]["distribution"])
        self.assertIn((await self.client.cluster.health())["status"], ("green", "yellow"))

    async def test_documents(self):
        index = await self.index("documents")
        await self.client.index(index=index, id="1", body={"pages": 1})
        self.assertEqual({"pages": 1}, (await self.client.get(index=index, id="1"))["_source"])
        await self.client.delete(index=index, id="1")
        with self.assertRaises(NotFoundError):
            await self.client.get(index=index, id="1")

    async def test_many_at_once(self):
        index = await self.index("many")
        await asyncio.gather(
            *(self.client.index(index=index, id=str(n), body={"pages": n}) for n in range(100))
        )
        await self.client.indices.refresh(index=index)
        self.assertEqual(100, (await self.client.count(index=index))["count"])

    async def test_streaming_bulk(self):
        index = await self.index("streaming")
        answers = [
            ok
            async for ok, _ in helpers.async_streaming_bulk(
                self.client, books.actions(index, 250), chunk_size=100
            )
        ]
        self.assertEqual(250, sum(answers))

    async def test_scan(self):
        index = await self.filled("scan", 200)
        found = [hit["_id"] async for hit in helpers.async_scan(self.client, index=index, size=30)]
        self.assertEqual(200, len(set(found)))

    async def test_reindex(self):
        source = await self.filled("source", 100)
        target = await self.index("target")
        await helpers.async_reindex(self.client, source, target)
        await self.client.indices.refresh(index=target)
        self.assertEqual(100, (await self.client.count(index=target))["count"])


if __name__ == "__main__":
    unittest.main()
