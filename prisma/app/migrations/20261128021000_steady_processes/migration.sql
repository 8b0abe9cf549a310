-- Since when there was a process of its kind without a pause. Null in what earlier releases write: then since it started.
ALTER TABLE processes ADD COLUMN steady_since timestamptz(3);
