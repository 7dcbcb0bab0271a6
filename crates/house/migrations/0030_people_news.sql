-- How often somebody's session, role, limits or name has changed, and whose it was lately: what every node
-- of a house reads twice a second, so that no revocation rests on a message that arrives.
ALTER TABLE house ADD COLUMN people_version INTEGER NOT NULL DEFAULT 0;

CREATE TABLE people_news (
    version INTEGER PRIMARY KEY,
    name    TEXT NOT NULL
) STRICT;
