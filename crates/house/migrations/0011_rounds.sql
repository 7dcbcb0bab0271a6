-- The rounds of every table, to be found again. The log has all of it; this is where in the log.
CREATE TABLE rounds (
    table_id TEXT NOT NULL REFERENCES tables,
    round    INTEGER NOT NULL CHECK (round > 0),
    shoe     INTEGER NOT NULL,
    seq      INTEGER NOT NULL, -- the entry that closed the bets
    version  INTEGER NOT NULL, -- inputs before it
    rules    TEXT NOT NULL,
    standing TEXT,             -- the table before it; none where it cannot be written down
    at       INTEGER NOT NULL, -- seconds of Unix time
    PRIMARY KEY (table_id, round)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX rounds_in_the_log ON rounds (table_id, seq);

-- What became of every wager, once and no more: a second settlement of the same wager is refused, and with it all
-- that came with it. An award has no stake of its own, and there can be several.
CREATE TABLE settlements (
    table_id TEXT NOT NULL,
    round    INTEGER NOT NULL,
    bettor   TEXT NOT NULL,
    hand     INTEGER NOT NULL,
    circle   TEXT NOT NULL,
    lammer   INTEGER NOT NULL CHECK (lammer IN (0, 1)),
    award    INTEGER NOT NULL, -- 0, or which award
    person   TEXT NOT NULL,
    stake    INTEGER NOT NULL CHECK (stake >= 0),
    gain     INTEGER NOT NULL,
    clause   TEXT NOT NULL,
    PRIMARY KEY (table_id, round, bettor, hand, circle, lammer, award)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER settlements_stay BEFORE UPDATE ON settlements
BEGIN SELECT RAISE(ABORT, 'a settlement is never changed'); END;

CREATE TRIGGER settlements_are_kept BEFORE DELETE ON settlements
BEGIN SELECT RAISE(ABORT, 'a settlement is never removed'); END;

-- The rounds that are over, in the order of the house.
CREATE TABLE ended (
    id       INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    round    INTEGER NOT NULL,
    seq      INTEGER NOT NULL, -- the last entry of the round
    void     INTEGER NOT NULL CHECK (void IN (0, 1)),
    at       INTEGER NOT NULL,
    UNIQUE (table_id, round)
) STRICT;

CREATE TABLE played (
    person TEXT NOT NULL,
    id     INTEGER NOT NULL REFERENCES ended,
    PRIMARY KEY (person, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE shoes (
    table_id TEXT NOT NULL REFERENCES tables,
    shoe     INTEGER NOT NULL,
    seq      INTEGER NOT NULL, -- the entry of its shuffle
    at       INTEGER NOT NULL,
    PRIMARY KEY (table_id, shoe)
) STRICT, WITHOUT ROWID;
