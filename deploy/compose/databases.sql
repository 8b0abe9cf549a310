-- The databases and roles of docs/operations/production.md, created once in an empty PostgreSQL.
CREATE ROLE sealwatch LOGIN PASSWORD 'only-for-trying';
CREATE ROLE sealwatch_audit_owner LOGIN PASSWORD 'only-for-trying';
CREATE ROLE sealwatch_audit_web LOGIN PASSWORD 'only-for-trying';
CREATE DATABASE sealwatch OWNER sealwatch;
CREATE DATABASE sealwatch_audit OWNER sealwatch_audit_owner;
REVOKE ALL ON DATABASE sealwatch, sealwatch_audit FROM PUBLIC;
GRANT CONNECT ON DATABASE sealwatch_audit TO sealwatch_audit_web;
