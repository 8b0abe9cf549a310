-- Until when a source of discovery asked this installation for no requests, whichever domain they are about.
CREATE TABLE source_holds (
  source text PRIMARY KEY,
  held_until timestamptz(3) NOT NULL
);
