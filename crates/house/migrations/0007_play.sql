-- When money moved, in seconds of Unix time; 0 where it is not known any more.
ALTER TABLE transfers ADD COLUMN at INTEGER NOT NULL DEFAULT 0;

CREATE INDEX gifts ON transfers (to_account) WHERE from_account = 'cashier';

-- What each round has come to for each of its players so far; what lies on the layout counts as lost
-- until it is back. The last transfer tells what came first within a second.
CREATE TABLE results (
    person   TEXT NOT NULL REFERENCES people,
    table_id TEXT NOT NULL REFERENCES tables,
    round    INTEGER NOT NULL CHECK (round > 0),
    gain     INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    transfer INTEGER NOT NULL REFERENCES transfers,
    PRIMARY KEY (person, table_id, round)
) STRICT, WITHOUT ROWID;

CREATE INDEX results_of_a_person ON results (person, at);

-- When somebody was in the house, with a page or a program open.
CREATE TABLE visits (
    person TEXT NOT NULL REFERENCES people,
    since  INTEGER NOT NULL,
    until  INTEGER NOT NULL CHECK (until >= since),
    PRIMARY KEY (person, since)
) STRICT, WITHOUT ROWID;

-- What players hold themselves to in a day: a loss in cents, a time in minutes; none where it is null.
-- What is looser holds only later.
CREATE TABLE bounds (
    person     TEXT NOT NULL REFERENCES people,
    what       TEXT NOT NULL CHECK (what IN ('loss', 'minutes')),
    most       INTEGER CHECK (most >= 0),
    later      INTEGER CHECK (later > most),
    later_from INTEGER,
    PRIMARY KEY (person, what),
    CHECK (most IS NOT NULL OR later_from IS NULL)
) STRICT, WITHOUT ROWID;
