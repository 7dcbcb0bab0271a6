-- The store of a house. What is written is never changed: entries and transfers are only added.

-- Who may write a table's log: every opening of the house raises the epoch and shuts out the one before.
CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    epoch    INTEGER NOT NULL
) STRICT;

-- The log of each table, as audit chains it.
CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables,
    seq      INTEGER NOT NULL CHECK (seq > 0),
    epoch    INTEGER NOT NULL,
    line     TEXT NOT NULL,
    hash     TEXT NOT NULL,
    PRIMARY KEY (table_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entries_of_the_owner BEFORE INSERT ON entries
WHEN NEW.epoch IS NOT (SELECT epoch FROM tables WHERE table_id = NEW.table_id)
BEGIN SELECT RAISE(ABORT, 'the table has another owner'); END;

CREATE TRIGGER entries_follow_each_other BEFORE INSERT ON entries
WHEN NEW.seq IS NOT 1 + (SELECT coalesce(max(seq), 0) FROM entries WHERE table_id = NEW.table_id)
BEGIN SELECT RAISE(ABORT, 'the entry is not the next one'); END;

CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END;

CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'an entry is never removed'); END;

-- The orders that the house has committed to. Nothing that leaves the house reads this table.
CREATE TABLE sealed (
    table_id TEXT NOT NULL REFERENCES tables,
    shoe     INTEGER NOT NULL,
    salt     TEXT NOT NULL,
    cards    TEXT NOT NULL,
    PRIMARY KEY (table_id, shoe)
) STRICT, WITHOUT ROWID;

-- Guests. The token itself is only in the guest's cookie.
CREATE TABLE players (
    name       TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE
) STRICT;

-- Commands that were applied, with the entry that they led to.
CREATE TABLE commands (
    player   TEXT NOT NULL REFERENCES players,
    id       TEXT NOT NULL,
    table_id TEXT NOT NULL REFERENCES tables,
    seq      INTEGER NOT NULL,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;

-- What every account holds. The scope is the table that it belongs to, or empty.
CREATE TABLE accounts (
    scope   TEXT NOT NULL,
    account TEXT NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (scope, account),
    CONSTRAINT never_owes CHECK (balance >= 0 OR account IN ('house', 'meter', 'cashier'))
) STRICT, WITHOUT ROWID;

-- Money only ever moves: a transfer is the one thing that changes a balance, and it changes two.
CREATE TABLE transfers (
    id           INTEGER PRIMARY KEY,
    table_id     TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    from_scope   TEXT NOT NULL,
    from_account TEXT NOT NULL,
    to_scope     TEXT NOT NULL,
    to_account   TEXT NOT NULL,
    amount       INTEGER NOT NULL CHECK (amount > 0),
    CHECK (from_scope <> to_scope OR from_account <> to_account)
) STRICT;

CREATE TRIGGER transfers_move_money AFTER INSERT ON transfers BEGIN
    INSERT OR IGNORE INTO accounts VALUES (NEW.from_scope, NEW.from_account, 0), (NEW.to_scope, NEW.to_account, 0);
    UPDATE accounts SET balance = balance - NEW.amount WHERE scope = NEW.from_scope AND account = NEW.from_account;
    UPDATE accounts SET balance = balance + NEW.amount WHERE scope = NEW.to_scope AND account = NEW.to_account;
END;

CREATE TRIGGER transfers_stay BEFORE UPDATE ON transfers
BEGIN SELECT RAISE(ABORT, 'a transfer is never changed'); END;

CREATE TRIGGER transfers_are_kept BEFORE DELETE ON transfers
BEGIN SELECT RAISE(ABORT, 'a transfer is never removed'); END;
