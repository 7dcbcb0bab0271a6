-- Who leaves a table once their round is over, because a supervisor said so.
CREATE TABLE unseatings (
    table_id TEXT NOT NULL REFERENCES tables,
    person   TEXT NOT NULL,
    PRIMARY KEY (table_id, person)
) STRICT, WITHOUT ROWID;
