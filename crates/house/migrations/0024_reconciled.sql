-- Up to where the log of a table was found to agree with the rest of the store: the entry before a round. A
-- start looks at what came since. Without it, the whole log is looked at while the house is open.
CREATE TABLE reconciled (
    table_id TEXT PRIMARY KEY REFERENCES tables,
    round    INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    hash     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
