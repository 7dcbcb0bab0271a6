-- What lies at a table before the deal, of players who hold themselves to a limit: no two tables count on the
-- same part of it.
CREATE TABLE risks (
    person   TEXT NOT NULL REFERENCES people,
    table_id TEXT NOT NULL REFERENCES tables,
    amount   INTEGER NOT NULL CHECK (amount > 0),
    PRIMARY KEY (person, table_id)
) STRICT, WITHOUT ROWID;
