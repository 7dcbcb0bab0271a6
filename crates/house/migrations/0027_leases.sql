-- The nodes of a house, and when each was last heard of, by the clock of the database in milliseconds of
-- Unix time.
CREATE TABLE nodes (
    name     TEXT PRIMARY KEY,
    address  TEXT NOT NULL, -- where other nodes reach it; empty where none does
    rules    TEXT NOT NULL, -- the version of the rules that it plays
    seen     INTEGER NOT NULL,
    draining INTEGER NOT NULL CHECK (draining IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Which node owns a table, under which epoch, and until when by the clock of the database, in milliseconds of
-- Unix time. A table without a lease, or with another epoch, is owned by whoever raised the epoch last.
CREATE TABLE leases (
    table_id TEXT PRIMARY KEY REFERENCES tables,
    node     TEXT,             -- null when it was handed over
    epoch    INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    wanted   TEXT              -- the node that is to own it next
) STRICT, WITHOUT ROWID;

CREATE TRIGGER leases_never_go_back BEFORE UPDATE ON leases WHEN NEW.epoch < OLD.epoch
BEGIN SELECT RAISE(ABORT, 'an epoch never goes back'); END;

CREATE TRIGGER epochs_never_go_back BEFORE UPDATE ON tables WHEN NEW.epoch < OLD.epoch
BEGIN SELECT RAISE(ABORT, 'an epoch never goes back'); END;

-- Whatever is written of a table without an entry of its log passes here, and is the owner's.
CREATE VIEW fence AS SELECT table_id, epoch FROM tables;

CREATE TRIGGER writes_of_the_owner INSTEAD OF INSERT ON fence
WHEN NEW.epoch IS NOT (SELECT epoch FROM tables WHERE table_id = NEW.table_id)
BEGIN SELECT RAISE(ABORT, 'the table has another owner'); END;
