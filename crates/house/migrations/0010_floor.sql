-- The progressive meter that tables share, by the figures that a regulator asks for. What it holds is in
-- the accounts as well, and the two are always the same.
CREATE TABLE progressives (
    name        TEXT PRIMARY KEY,
    seeded      INTEGER NOT NULL CHECK (seeded >= 0),
    contributed INTEGER NOT NULL,
    awarded     INTEGER NOT NULL CHECK (awarded >= 0),
    awards      INTEGER NOT NULL CHECK (awards >= 0),
    restored    INTEGER NOT NULL CHECK (restored >= 0),
    resets      INTEGER NOT NULL CHECK (resets >= 0),
    overflow    INTEGER NOT NULL CHECK (overflow >= 0),
    CHECK (seeded + contributed + restored + overflow >= awarded)
) STRICT, WITHOUT ROWID;

-- How often the meter had begun again when the round at a table added to it: what a hit elsewhere has been
-- paid since then is not taken back.
CREATE TABLE meter_rounds (
    table_id TEXT PRIMARY KEY REFERENCES tables,
    resets   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Since when a table has had its cards, in seconds of Unix time.
CREATE TABLE decks (
    table_id TEXT PRIMARY KEY REFERENCES tables,
    since    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
