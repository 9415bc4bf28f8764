"""The SQL of a board: one statement, with gaps that `board_sql` fills.

Sums are ordered (by their own terms), so that the same store gives the same bytes whatever DuckDB's
threads do. Pairs of problem and seed are counted by grouping twice: count(DISTINCT (a, b)) over
results was a quarter of the statement's time.
The standard error of a mean over problems is stratified: with settings s of n_s units (means m of
a unit over its seeds), Var = sum_s (n_s/N)^2 var_s(m)/n_s; where a setting has one unit, its
evaluation's own stderr stands in for var_s. A ratio R of two means has, by the delta
method and with numerator a and baseline b paired by unit,
Var = sum_s (n_s/N)^2 var_s(a - R b)/n_s / mean(b)^2.
"""

COMMON = """
had AS (
  SELECT key, part, problem, seed FROM numbers WHERE measure = $ranked
  GROUP BY ALL HAVING count(*) = count(value)
),
teams AS (SELECT part, count(DISTINCT key) AS teams FROM had GROUP BY part),
shared AS (
  SELECT part, problem, seed FROM had JOIN teams USING (part)
  GROUP BY part, problem, seed, teams HAVING count(*) = teams
),
rest AS (
  SELECT part, count(DISTINCT problem) AS problems, count(DISTINCT seed) AS seeds
  FROM shared GROUP BY part
),
used AS (SELECT * FROM numbers SEMI JOIN shared USING (part, problem, seed)),
"""

# A row of the board is its `key`; `side` is the key without the label, so that a mode is divided
# by the same mode of the baseline; `part` holds what of the key is known before any result.
SCOPE = """
scope AS (
  SELECT cell_id, label, problem, setting, environment, seed, status, error_kind, error_message,
    compile_seconds + train_seconds + evaluate_seconds AS seconds, {part} AS part{own}
  FROM {cells} s
  WHERE scenario = $scenario AND scenario_version = $version AND context = $context
    AND cell_id IN (
      SELECT cell_id FROM run_cells WHERE sweep = $sweep AND scale = $scale{run})
    AND {inner}
  QUALIFY subject_version = max(subject_version) OVER (PARTITION BY subject)
),
"""

NUMBERS = """
measures(measure, metric, tau, kappa, split) AS (VALUES {measures}),
numbers AS (
  SELECT s.label || chr(31) || {side} AS key, {side} AS side, s.part, s.label, {by_numbers}
    m.measure, {stratum} AS stratum, {unit} AS unit, s.problem, s.seed, r.split, r.value, r.stderr,
    r.num_samples, r.reason, {origin} AS origin
  FROM scope s JOIN results r ON r.cell_id = s.cell_id
  JOIN measures m ON r.metric = m.metric AND {places}
    AND (m.split IS NULL OR m.split = r.split)
  WHERE s.status = 'done'
),
"""

SUMS = """
held AS (
  SELECT key, side, part, label{by_late}, problem, seed,
    count(*) FILTER (measure = $ranked) AS ranks,
    count(*) FILTER (measure = $ranked AND value IS NULL) AS gaps,
    min(reason) FILTER (value IS NULL) AS gap, count(*) FILTER (value IS NULL) AS missing,
    min(reason) FILTER ({caveat}) AS caveat, count(*) FILTER ({caveat}) AS doubtful,
    min(value) FILTER (measure IN (SELECT unnest($sizes))) AS ess
  FROM numbers GROUP BY ALL
),
basis AS (
  SELECT key, side, part, label{by_late},
    count(*) FILTER (ranks > 0) - count(*) FILTER (gaps > 0) AS covered,
    count(DISTINCT problem) FILTER (ranks > 0) AS problems,
    count(DISTINCT seed) FILTER (ranks > 0) AS seeds,
    min(gap) AS gap, CAST(sum(missing) AS BIGINT) AS missing,
    min(caveat) AS caveat, CAST(sum(doubtful) AS BIGINT) AS doubtful, min(ess) AS ess
  FROM held GROUP BY ALL
),
{common}
units AS (
  SELECT key, side, label, measure, stratum, unit,
    avg(value ORDER BY value) AS value,
    CASE WHEN count(*) = count(stderr) THEN avg(stderr ORDER BY stderr) END AS own,
    count(*) - count(value) AS missing, max(num_samples) AS samples, max(value) AS largest,
    min(value) AS least, count(*) AS size
  FROM {used} GROUP BY ALL
),
strata AS (
  SELECT key, measure, stratum, count(*) AS n, sum(value ORDER BY value) AS total,
    CASE WHEN count(*) > 1 THEN var_samp(value ORDER BY value) / count(*)
      ELSE max(own) * max(own) END AS variance,
    sum(missing) AS missing, max(samples) AS samples, max(largest) AS largest,
    min(least) AS least, sum(size) AS size
  FROM units GROUP BY ALL
),
means AS (
  SELECT key, map(list(measure), list(number)) AS m,
    string_agg(measure, ', ' ORDER BY measure) FILTER (size < most) AS thin FROM (
    SELECT key, measure, sum(size) AS size, max(sum(size)) OVER (PARTITION BY key) AS most, {{
      'value': CASE WHEN sum(missing) = 0 THEN sum(total ORDER BY total) / sum(n) END,
      'stderr': CASE WHEN sum(missing) = 0 AND count(*) = count(variance)
        THEN sqrt(sum(n * n * variance ORDER BY n * n * variance)) / sum(n) END,
      'sum': CASE WHEN sum(missing) = 0 THEN sum(total ORDER BY total) END,
      'root': CASE WHEN sum(missing) = 0 THEN sqrt(sum(total ORDER BY total) / sum(n)) END,
      'samples': max(samples), 'largest': max(largest), 'least': min(least)}} AS number
    FROM strata GROUP BY key, measure)
  GROUP BY key
),
{ratios}
counts AS (
  SELECT label, part{by_early}, count(*) FILTER (status = 'done') AS done,
    count(*) FILTER (status = 'failed') AS failed,
    count(*) FILTER (status = 'pending') AS pending,
    avg(seconds ORDER BY seconds) FILTER (status = 'done') AS seconds,
    min(error_kind || ': ' || {shown}) FILTER (status = 'failed') AS failure
  FROM scope s GROUP BY ALL
),
planned AS (
  SELECT part, count(*) AS planned FROM (SELECT DISTINCT part, problem, seed FROM scope)
  GROUP BY part
),
facts AS (
  SELECT b.key, b.side, n.part, n.label AS {subject}{by_names},
    {values},
    coalesce({rest}.problems, 0) AS problems, coalesce({rest}.seeds, 0) AS seeds,
    coalesce(covered, 0) || '/' || planned AS coverage, done, failed, pending, seconds,
    nullif(concat_ws('; ',
      CASE WHEN failed > 0 THEN failed || if(failed > 1, ' cells', ' cell')
        || ' failed (' || failure || ')' END,
      CASE WHEN missing > 0 THEN missing || if(missing > 1, ' numbers', ' number')
        || ' without value (' || gap || ')' END,
      CASE WHEN doubtful > 0 THEN doubtful || if(doubtful > 1, ' numbers', ' number')
        || ' with a caveat (' || caveat || ')' END,
      CASE WHEN pending > 0 THEN pending || if(pending > 1, ' cells', ' cell') || ' pending' END,
      'fewer cells behind ' || thin,
      CASE WHEN ess < {least} THEN
        'estimator-limited (least effective sample size ' || printf('%.1f', ess) || ')' END,
      CASE WHEN failed + pending = 0 AND coalesce(missing, 0) = 0 AND coalesce(covered, 0) < planned
        THEN 'covers fewer problems or seeds than others' END
    ), '') AS reason,
    coalesce(covered, 0) {enough} AND {ranked} IS NOT NULL AS full_coverage
  FROM counts n JOIN planned p ON p.part = n.part
  LEFT JOIN basis b ON b.label = n.label AND b.part = n.part
  LEFT JOIN means m ON m.key = b.key {with_ratios} {with_common}
),
ranked AS (
  SELECT *, CASE WHEN full_coverage
    THEN rank() OVER (PARTITION BY part, full_coverage{by_axis} ORDER BY {rank_by}) END AS "rank"
    {places_by}
  FROM facts
)
"""

ROWS = """
SELECT {shown}
FROM {ranked}
WHERE {where}
ORDER BY {order}
"""

# What intervals are made of: both means of each unit, against the baseline and against the best.
RIVALS = """
rivals AS (
  SELECT DISTINCT 'baseline' AS versus, side, key AS rival FROM {used} WHERE label = $baseline
  UNION ALL
  SELECT 'best', side, arg_min(key, ("rank", key)) FROM ranked WHERE "rank" IS NOT NULL
  GROUP BY side
)
"""
_BOTH = """
FROM (
  SELECT * FROM {used}  -- few measures of many; behind the join the planner would not see that
  WHERE measure = $ranked OR measure IN (SELECT unnest($ratios))
) a JOIN rivals t ON t.side = a.side AND t.rival <> a.key
JOIN {used} b ON b.key = t.rival AND a.measure = b.measure AND a.problem = b.problem
  AND a.seed = b.seed AND a.split = b.split
WHERE (t.versus = 'baseline' AND a.measure IN (SELECT unnest($ratios))
  OR t.versus = 'best' AND a.measure = $ranked)
"""
PAIRED = (
    RIVALS
    + """
SELECT t.versus, a.key, a.measure, a.stratum, avg(a.value ORDER BY a.value) AS above,
  avg(b.value ORDER BY b.value) AS below,
  CASE WHEN count(*) = count(a.stderr) THEN avg(a.stderr ORDER BY a.stderr) END AS above_own,
  CASE WHEN count(*) = count(b.stderr) THEN avg(b.stderr ORDER BY b.stderr) END AS below_own,
  count(*) - count(a.value + b.value) AS missing
"""
    + _BOTH
    + """
GROUP BY t.versus, a.key, a.measure, a.stratum, a.unit
ORDER BY t.versus, a.key, a.measure, a.stratum, a.unit
"""
)

# Likewise the sums over test rows of strata with one unit.
_LONE = """
SELECT t.versus, a.key, a.measure, a.stratum, a.origin AS above, b.origin AS below
"""
ORIGIN = "hash({0}.cell_id, r.metric, r.tau, r.kappa, r.split)"
STORED_SUMS = f"""
(SELECT {ORIGIN.format("r")} AS origin, own, groups FROM row_sums r)
"""
LONE_ROWS = (
    RIVALS.rstrip()
    + ", lone AS ("
    + _LONE
    + _BOTH
    + """
WINDOW w AS (PARTITION BY t.versus, a.key, a.measure, a.stratum)
QUALIFY min(a.unit) OVER w IS NOT DISTINCT FROM max(a.unit) OVER w
), sums AS MATERIALIZED """
    + STORED_SUMS
    + """
SELECT l.versus, l.key, l.measure, l.stratum, p.own, p.groups, q.own, q.groups
FROM lone l LEFT JOIN sums p ON p.origin = l.above LEFT JOIN sums q ON q.origin = l.below
ORDER BY ALL
"""
)

# Every number of some columns, with its sums over test rows or without.
VALUES = """
SELECT label, measure, stratum, unit, problem, seed, split, value, stderr{sums} FROM {used}{joined}
WHERE measure IN (SELECT unnest($wanted)) ORDER BY ALL
"""

# The mean of a curve over the cells of a label, by step.
CURVES = """
SELECT s.label, v.step, avg(v.value ORDER BY v.value) AS value,
  CASE WHEN count(*) > 1 THEN stddev_samp(v.value ORDER BY v.value) / sqrt(count(*)) END AS stderr,
  count(*) AS cells
FROM scope s JOIN curves v ON v.cell_id = s.cell_id
WHERE v.name = $curve AND v.value IS NOT NULL AND s.status = 'done'
  AND s.label IN (SELECT unnest($labels))
GROUP BY s.label, v.step ORDER BY s.label, v.step
"""

# Ready intervals go in as lists, so that an export stays one statement.
FOUND = """(
  SELECT * REPLACE (nullif(concat_ws('; ', reason, lacks), '') AS reason, {errors})
  FROM ranked LEFT JOIN (SELECT unnest($found) AS key, {lists}) USING (key)
)"""

RATIOS = """
pairs AS (
  SELECT a.key, a.measure, a.stratum, a.unit, a.label = $baseline AS itself,
    avg(a.value ORDER BY a.value) AS av,
    avg(b.value ORDER BY b.value) AS bv,
    count(*) - count(a.value + b.value) AS missing
  FROM {used} a JOIN {used} b ON b.label = $baseline AND a.measure = b.measure AND a.side = b.side
    AND a.problem = b.problem AND a.seed = b.seed AND a.split = b.split
  WHERE a.measure IN (SELECT unnest($ratios))
  GROUP BY ALL
),
totals AS (
  SELECT key, measure, sum(bv ORDER BY bv) AS base,
    sum(av ORDER BY av) / sum(bv ORDER BY bv) AS ratio
  FROM pairs GROUP BY ALL HAVING sum(missing) = 0 AND base > 0
),
residuals AS (
  SELECT key, measure, stratum, base, ratio, count(*) AS n,
    CASE WHEN bool_and(itself) THEN 0
      WHEN count(*) > 1 THEN var_samp(av - ratio * bv ORDER BY av - ratio * bv) / count(*)
      END AS variance  -- of one unit the draws tell it: both may share test rows
  FROM pairs JOIN totals USING (key, measure)
  GROUP BY ALL
),
ratios AS (
  SELECT key, map(list(measure), list(number)) AS q FROM (
    SELECT key, measure,
      {{'value': max(ratio), 'stderr': CASE WHEN count(*) = count(variance)
      THEN sqrt(sum(n * n * variance ORDER BY n * n * variance)) / max(base) END}} AS number
    FROM residuals GROUP BY key, measure)
  GROUP BY key
),
"""

# The tuned config of each subject and place, all under one label; untuned ones as they are.
TUNED = """(
  SELECT c.* REPLACE (t.name AS label) FROM cells c
  JOIN (SELECT unnest($labels) AS label, CAST(unnest($places) AS VARCHAR) AS place,
    unnest($names) AS name) t
    ON t.label = c.label AND (t.place IS NULL OR t.place = CAST({place} AS VARCHAR))
)"""
