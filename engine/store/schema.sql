CREATE TABLE meta (name VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);

CREATE TABLE runs (
  run_id VARCHAR PRIMARY KEY,
  command VARCHAR NOT NULL,
  selection JSON NOT NULL,
  state VARCHAR NOT NULL,            -- running | finished | cancelled | paused
  reason VARCHAR NOT NULL,           -- why it is paused or cancelled
  code_version VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL,     -- UTC, as all times here
  updated_at TIMESTAMP NOT NULL
);

CREATE TABLE cells (
  cell_id VARCHAR PRIMARY KEY,
  spec JSON NOT NULL,                -- the cell itself, as it is sent to a worker
  scenario VARCHAR NOT NULL,
  scenario_version INTEGER NOT NULL,
  problem VARCHAR NOT NULL,
  setting VARCHAR NOT NULL,          -- the stratum
  environment BIGINT NOT NULL,
  problem_columns JSON NOT NULL,
  subject VARCHAR NOT NULL,
  subject_version INTEGER NOT NULL,
  label VARCHAR NOT NULL,            -- what boards rank
  config JSON NOT NULL,              -- every field
  settings JSON NOT NULL,            -- every field
  context VARCHAR NOT NULL,          -- settings that differ from full scale: what boards never mix
  seed BIGINT NOT NULL,
  "precision" VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  status VARCHAR NOT NULL,           -- pending | done | failed
  attempts INTEGER NOT NULL,
  device VARCHAR,
  width INTEGER,
  compile_seconds DOUBLE,
  train_seconds DOUBLE,
  evaluate_seconds DOUBLE,
  code_version VARCHAR,
  jax_version VARCHAR,
  worker VARCHAR,
  finished_at TIMESTAMP,
  error_kind VARCHAR,
  error_message VARCHAR,
  error_traceback VARCHAR
);

CREATE TABLE run_cells (
  run_id VARCHAR NOT NULL,
  cell_id VARCHAR NOT NULL,
  sweep VARCHAR NOT NULL,
  scale VARCHAR NOT NULL,
  position INTEGER NOT NULL,         -- the order the run asked for
  PRIMARY KEY (run_id, cell_id)
);

CREATE TABLE results (
  cell_id VARCHAR NOT NULL,
  metric VARCHAR NOT NULL,
  tau INTEGER NOT NULL,
  kappa INTEGER NOT NULL,
  split VARCHAR NOT NULL,
  value DOUBLE,                      -- finite, or NULL with a reason
  stderr DOUBLE,
  num_samples BIGINT NOT NULL,
  reason VARCHAR NOT NULL,
  PRIMARY KEY (cell_id, metric, tau, kappa, split)
);

-- What test rows that subjects share contribute to the error of a result.
CREATE TABLE IF NOT EXISTS row_sums (
  cell_id VARCHAR NOT NULL,
  metric VARCHAR NOT NULL,
  tau INTEGER NOT NULL,
  kappa INTEGER NOT NULL,
  split VARCHAR NOT NULL,
  own DOUBLE NOT NULL,               -- standard error of what is not shared
  groups BLOB NOT NULL               -- sums over groups of rows, float32, little-endian
);

CREATE TABLE curves (
  cell_id VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  step BIGINT NOT NULL,
  value DOUBLE
);

CREATE TABLE widths (
  batch_key VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  width INTEGER NOT NULL,
  PRIMARY KEY (batch_key, device)
);

CREATE TABLE attempts (
  cell_id VARCHAR NOT NULL,
  outcome VARCHAR NOT NULL,          -- done | failed
  kind VARCHAR NOT NULL,
  message VARCHAR NOT NULL,
  worker VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  code_version VARCHAR NOT NULL,
  finished_at TIMESTAMP NOT NULL
);
