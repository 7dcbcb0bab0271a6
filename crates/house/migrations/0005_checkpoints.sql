-- Where each table stood when bets closed last, and when they opened last: a program with other rules
-- begins with the second, so that it does not play a round again that is over. Both are only
-- shortcuts: where one does not fit the log or the books, the whole log is played.
DROP TABLE checkpoints;

CREATE TABLE checkpoints (
    table_id TEXT NOT NULL REFERENCES tables,
    moment   TEXT NOT NULL CHECK (moment IN ('opened', 'closed')),
    seq      INTEGER NOT NULL,
    hash     TEXT NOT NULL,
    version  INTEGER NOT NULL,
    rules    TEXT NOT NULL,
    standing TEXT NOT NULL,
    PRIMARY KEY (table_id, moment)
) STRICT, WITHOUT ROWID;
