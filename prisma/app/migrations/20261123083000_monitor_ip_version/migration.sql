-- Which addresses of a monitor's target are used: any, 4 or 6.
ALTER TABLE uptime_monitors ADD COLUMN ip_version text NOT NULL DEFAULT 'any';
