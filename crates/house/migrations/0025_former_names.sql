-- A guest may take several names one after the other: each former one is found by the name of today.
CREATE TABLE names_before (
    was  TEXT PRIMARY KEY REFERENCES people,
    name TEXT NOT NULL REFERENCES people
) STRICT, WITHOUT ROWID;

INSERT INTO names_before SELECT was, name FROM former_names;
DROP TABLE former_names;
ALTER TABLE names_before RENAME TO former_names;
CREATE INDEX former_names_of ON former_names (name);
