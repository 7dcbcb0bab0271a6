-- What each command asked for, so that its id stands for it alone. What was asked before is not known
-- any more, and those ids are not used again.
ALTER TABLE commands ADD COLUMN asks_hash TEXT NOT NULL DEFAULT '';
