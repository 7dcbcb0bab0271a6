-- The house's money and the cashier's are kept by table from here on, so that no two tables move the same
-- account. What was moved before stays with the office: the last transfer of that time.
ALTER TABLE house ADD COLUMN unscoped INTEGER NOT NULL DEFAULT 0;

UPDATE house SET unscoped = (SELECT coalesce(max(id), 0) FROM transfers);
