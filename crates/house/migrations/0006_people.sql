-- Everyone whom the house knows: guests, accounts with a password, and bots.
CREATE TABLE people (
    name     TEXT PRIMARY KEY,
    kind     TEXT NOT NULL CHECK (kind IN ('guest', 'account', 'bot')),
    role     TEXT NOT NULL CHECK (role IN ('player', 'dealer', 'supervisor', 'auditor', 'operator')),
    password TEXT,
    since    INTEGER NOT NULL,
    CHECK (kind <> 'guest' OR role = 'player'),
    CHECK (kind <> 'bot' OR role IN ('player', 'dealer')),
    CHECK ((password IS NOT NULL) = (kind = 'account'))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER people_are_kept BEFORE DELETE ON people
BEGIN SELECT RAISE(ABORT, 'nobody is forgotten'); END;

-- By what somebody is known again. The token itself is only in the cookie, or with the bot; a bot's has
-- a label.
CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY,
    name       TEXT NOT NULL REFERENCES people,
    label      TEXT,
    since      INTEGER NOT NULL,
    until      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_of_a_person ON sessions (name, since);

INSERT INTO people SELECT name, 'guest', 'player', NULL, unixepoch() FROM players;
INSERT INTO sessions SELECT token_hash, name, NULL, unixepoch(), unixepoch() + 31536000 FROM players;

-- Commands are those of people.
CREATE TABLE commands_of_people (
    player    TEXT NOT NULL REFERENCES people,
    id        TEXT NOT NULL,
    table_id  TEXT NOT NULL REFERENCES tables,
    seq       INTEGER NOT NULL,
    asks_hash TEXT NOT NULL,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;

INSERT INTO commands_of_people SELECT player, id, table_id, seq, asks_hash FROM commands;
DROP TABLE commands;
DROP TABLE players;
ALTER TABLE commands_of_people RENAME TO commands;

-- What the house did to somebody, and who did it. Nothing is changed or taken out.
CREATE TABLE acts (
    id   INTEGER PRIMARY KEY,
    at   INTEGER NOT NULL,
    who  TEXT NOT NULL,
    what TEXT NOT NULL,
    whom TEXT NOT NULL REFERENCES people,
    more TEXT NOT NULL
) STRICT;

CREATE TRIGGER acts_stay BEFORE UPDATE ON acts
BEGIN SELECT RAISE(ABORT, 'an act is never changed'); END;

CREATE TRIGGER acts_are_kept BEFORE DELETE ON acts
BEGIN SELECT RAISE(ABORT, 'an act is never removed'); END;
