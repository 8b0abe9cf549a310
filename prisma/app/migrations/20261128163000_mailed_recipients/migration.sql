-- How many recipients got e-mails of an organization's channels by the installation's mail server on a day (UTC), the last one with any.
CREATE TABLE mailed_recipients (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  day date NOT NULL,
  recipients integer NOT NULL
);
