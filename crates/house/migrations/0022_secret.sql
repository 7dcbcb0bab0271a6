-- What pseudonyms are made with, in hexadecimal digits. It never leaves the store.
CREATE TABLE secrets (pseudonyms TEXT NOT NULL CHECK (length(pseudonyms) = 64)) STRICT;

INSERT INTO secrets VALUES (lower(hex(randomblob(32))));
