"""Layer three, opened: the database with everything in memory that follows it."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Self

from app.store.analyser import ANALYSER_VERSION
from app.store.database import Database
from app.store.lexical import LexicalSearch
from app.store.vector_rows import model_ref
from app.store.vectors import VectorIndex
from app.store.visibility import Visibility
from app.store.words import WordIndex, analyser_version, rebuild_words

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from app.store.blobs import BlobFolder
    from app.store.connection import DatabaseKey
    from app.store.vector_codes import Centres
    from app.store.vector_rows import EmbeddingModel


class Store:
    """The database, who may see what, words and vectors, kept in step with every commit.

    Attributes:
        database: transactions (`writes`, `source_rows`, `vector_rows`) and readers (`reading`, `agenda`).
        visibility: masks.
        lexical: search by words.
        vectors: search by meaning, for a model.
        blobs: originals of pictures and recordings.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.visibility = Visibility()
        words = WordIndex(database)
        self.lexical = LexicalSearch(words, self.visibility)
        with database.write() as tx:
            # another analyser wrote the index: its terms are not those of today's questions
            if analyser_version(tx) != ANALYSER_VERSION:
                rebuild_words(tx)
            self.visibility.load(tx)
            database.blobs.settle(tx)
        database.subscribe(self.visibility)
        database.subscribe(words)
        self._vectors: dict[EmbeddingModel, VectorIndex] = {}
        self._loading = Lock()

    @classmethod
    def create(cls, path: Path, key: DatabaseKey, *, now: datetime) -> Self:
        """Make a new database and open it; see `Database.create`."""
        return cls(Database.create(path, key, now=now))

    @classmethod
    def open(cls, path: Path, key: DatabaseKey, *, now: datetime) -> Self:
        """Open a database; see `Database.open`."""
        return cls(Database.open(path, key, now=now))

    @property
    def blobs(self) -> BlobFolder:
        """The originals that are kept beside the database."""
        return self.database.blobs

    def vectors(self, model: EmbeddingModel, centres: Centres | None = None) -> VectorIndex:
        """The vectors of a model; loaded the first time (0.5 s for 100,000), in memory from then on.

        The writer waits meanwhile, so that no vector comes between loading and following.

        Args:
            centres: see `VectorIndex`; looked at the first time.
        """
        with self._loading:
            if model not in self._vectors:
                index = VectorIndex(model, self.visibility, centres)
                with self.database.write() as tx:
                    index.load(tx)
                    self.database.subscribe(index)
                self._vectors[model] = index
            return self._vectors[model]

    def save_vectors(self, *, now: datetime) -> None:
        """Keep the codes of all loaded vectors in the database, for a faster next start; see `VectorIndex.save`."""
        for index in list(self._vectors.values()):
            with self.database.write() as tx:
                index.save(tx, now=now)

    def tend_vectors(self, *, now: datetime) -> bool:
        """What can be done for a faster next start while nothing else is to do; on a lane for blocking work.

        Returns:
            Whether there was anything to do.
        """
        is_done = False
        for index in list(self._vectors.values()):
            if index.needs_saving():
                with self.database.write() as tx:
                    index.save(tx, now=now)
                is_done = True
        return is_done

    def reload(self) -> None:
        """Read again what is kept in memory, after a repair."""
        with self.database.write() as tx:
            self.visibility.load(tx)
            for index in self._vectors.values():
                index.load(tx)

    def sizes(self) -> list[tuple[str, int, int]]:
        """What is kept in memory: its name, the number of its rows in the database, and that of its own."""
        # the writer waits, so that both numbers are of one moment
        with self._loading, self.database.write() as tx:
            found = [("visibility", int(tx.value("SELECT count(*) FROM chunk")), self.visibility.size)]
            for model, index in self._vectors.items():
                rows = int(tx.value("SELECT count(*) FROM vector WHERE model_ref = ?", model_ref(tx, model)))
                found.append((f"index {model.model_id} {model.version}", rows, index.size))
            return found

    def close(self) -> None:
        """Close the database; what is in memory is let go with the object."""
        self.database.close()
