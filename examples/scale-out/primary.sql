-- Runs once, on the new database of the primary.
create role replicator replication login password 'replicator';
select pg_create_physical_replication_slot('replica');

-- PgBouncer in transaction mode keeps no settings of sessions, so they belong to the role. 15000 is limits.statementTime.
alter role site in database site set timezone to 'UTC';
alter role site in database site set datestyle to 'ISO';
alter role site in database site set jit to off;
alter role site in database site set random_page_cost to '1.1';
alter role site in database site set statement_timeout to '15000';
