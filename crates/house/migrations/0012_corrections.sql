-- What was put right later is found by its table: there is little of it in a long log.
CREATE INDEX corrections ON entries (table_id, seq) WHERE substr(line, 1, 10) = '< correct ';
