-- Where the batch ends that is being sent, so that its repetition has the same entries and the same name.
ALTER TABLE destinations ADD COLUMN attempt_end bigint;
