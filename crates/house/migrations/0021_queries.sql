-- What was put right later, by round, so that a list of rounds does not look for it in the log.
DROP INDEX corrections;

CREATE TABLE corrections (
    table_id TEXT NOT NULL REFERENCES tables,
    round    INTEGER NOT NULL,
    seq      INTEGER NOT NULL, -- the entry
    PRIMARY KEY (table_id, round, seq)
) STRICT, WITHOUT ROWID;

INSERT INTO corrections
    SELECT table_id, CAST(substr(line, 11) AS INTEGER), seq FROM entries
    WHERE substr(line, 1, 10) = '< correct ';

-- Money by entry, and what the cashier gave to a player in the order of time.
CREATE INDEX transfers_of_an_entry ON transfers (table_id, seq);
DROP INDEX gifts;
CREATE INDEX gifts ON transfers (to_account, at) WHERE from_account = 'cashier';

-- The rounds of a table, of a person, and of a person at a table, each in the order of the house.
CREATE INDEX ended_at_a_table ON ended (table_id, id);
ALTER TABLE played ADD COLUMN table_id TEXT NOT NULL DEFAULT '';
UPDATE played SET table_id = (SELECT table_id FROM ended WHERE ended.id = played.id);
CREATE INDEX played_at_a_table ON played (person, table_id, id);

-- The sums of a day and the last points of a person are read from the index alone.
DROP INDEX results_of_a_person;
CREATE INDEX results_of_a_person ON results (person, at, transfer, gain);
CREATE INDEX visits_of_a_person ON visits (person, until);
CREATE INDEX bots ON people (name) WHERE kind = 'bot';

-- When a command was carried out: its id is known for some days.
ALTER TABLE commands ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
UPDATE commands SET at = unixepoch();
CREATE INDEX commands_by_age ON commands (at);
