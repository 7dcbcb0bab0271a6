-- What lies at a table before the deal, of players who hold themselves to a limit: no two tables count on the
-- same part of it.
CREATE TABLE risks (
    person   TEXT COLLATE "C" NOT NULL REFERENCES people,
    table_id TEXT COLLATE "C" NOT NULL REFERENCES tables,
    amount   BIGINT NOT NULL CHECK (amount > 0),
    PRIMARY KEY (person, table_id)
);
