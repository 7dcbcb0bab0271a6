-- Where each table stood when bets closed last, so that a start reads only what came since.
-- Nothing rests on it: without it, or where it does not fit the log, the whole log is played again.
CREATE TABLE checkpoints (
    table_id TEXT PRIMARY KEY REFERENCES tables,
    seq      INTEGER NOT NULL,
    hash     TEXT NOT NULL,
    version  INTEGER NOT NULL,
    rules    TEXT NOT NULL,
    standing TEXT NOT NULL
) STRICT, WITHOUT ROWID;
