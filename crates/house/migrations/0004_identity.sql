-- What tells this house from others on the same computer: part of the name of its guests' cookies.
CREATE TABLE house (id TEXT NOT NULL) STRICT;

INSERT INTO house VALUES (lower(hex(randomblob(8))));
