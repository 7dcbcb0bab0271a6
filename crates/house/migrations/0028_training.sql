-- What somebody has trained: one record for each game, in the notation of the trainer.
CREATE TABLE training (
    person TEXT NOT NULL,
    game   TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (person, game)
) STRICT, WITHOUT ROWID;
