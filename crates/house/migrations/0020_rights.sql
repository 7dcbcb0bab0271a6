-- Significant events: what operators did, and what happened to the house itself, such as a start or a
-- backup. Nothing is changed or removed.
CREATE TABLE events (
    id   INTEGER PRIMARY KEY,
    at   INTEGER NOT NULL,
    who  TEXT NOT NULL,
    what TEXT NOT NULL,
    whom TEXT REFERENCES people, -- null where it is about nobody in particular
    more TEXT NOT NULL
) STRICT;

INSERT INTO events SELECT id, at, who, what, whom, more FROM acts;
DROP TABLE acts;

CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;

CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'an event is never removed'); END;

CREATE INDEX events_by_kind ON events (what, id);

-- Who does not play, and until when: by a decision of their own, which nobody shortens, or of an operator.
CREATE TABLE exclusions (
    person TEXT NOT NULL REFERENCES people,
    decided TEXT NOT NULL CHECK (decided IN ('own', 'house')),
    until  INTEGER, -- seconds of Unix time; null until an operator lifts it
    PRIMARY KEY (person, decided),
    CHECK (decided = 'house' OR until IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER self_exclusions_are_not_shortened BEFORE UPDATE ON exclusions
WHEN OLD.decided = 'own' AND NEW.until < OLD.until
BEGIN SELECT RAISE(ABORT, 'a self-exclusion is never shortened'); END;

CREATE TRIGGER self_exclusions_are_kept BEFORE DELETE ON exclusions
WHEN OLD.decided = 'own' AND OLD.until > unixepoch()
BEGIN SELECT RAISE(ABORT, 'a self-exclusion is never lifted'); END;

-- Under which name an account played as a guest: logs and settlements have that name.
CREATE TABLE former_names (
    name TEXT PRIMARY KEY REFERENCES people,
    was  TEXT NOT NULL UNIQUE REFERENCES people
) STRICT, WITHOUT ROWID;

-- Corrections above an amount, which wait for a second supervisor: as the log would have them, who asked,
-- and who decided.
CREATE TABLE corrections_asked (
    id         INTEGER PRIMARY KEY,
    table_id   TEXT NOT NULL REFERENCES tables,
    line       TEXT NOT NULL,
    asked_by   TEXT NOT NULL REFERENCES people,
    at         INTEGER NOT NULL,
    until      INTEGER NOT NULL,
    decided_by TEXT REFERENCES people,
    decision   TEXT CHECK (decision IN ('approved', 'refused')),
    CHECK ((decided_by IS NULL) = (decision IS NULL)),
    CHECK (decision IS NOT 'approved' OR decided_by <> asked_by)
) STRICT;

CREATE INDEX corrections_that_wait ON corrections_asked (table_id, id) WHERE decision IS NULL;

CREATE TRIGGER corrections_are_decided_once BEFORE UPDATE ON corrections_asked
WHEN OLD.decision IS NOT NULL OR NEW.line <> OLD.line OR NEW.asked_by <> OLD.asked_by
BEGIN SELECT RAISE(ABORT, 'a correction is decided once'); END;

CREATE TRIGGER corrections_asked_are_kept BEFORE DELETE ON corrections_asked
BEGIN SELECT RAISE(ABORT, 'a correction that was asked for is never removed'); END;
