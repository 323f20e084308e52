-- What Postgres has beyond the tables of both databases, since there every gateway is one of many: reservations as rows,
-- and what its functions are asked.

-- A reservation belongs to a process that may die: past expires_at it counts no more, and what was noted of a call that
-- runs for long is charged. Its holds are in the meter's sums until it is deleted. diem_epoch: the epoch of the daily pot
-- that diem was held of.
create table reservations (
  account_id bigint not null,
  id uuid not null,
  api_key_id bigint,
  purse text not null,
  diem bigint not null,
  bundled bigint not null,
  usd bigint not null,
  x402 bigint not null,
  credits bigint not null,
  limit_period text,
  idempotency_key text,
  fingerprint text,
  created_at bigint not null,
  expires_at bigint not null,
  diem_epoch integer not null default 0,
  noted_amount bigint not null default 0,
  noted_resource text,
  noted_detail text,
  noted_request_id text,
  noted_units bigint not null default 0,
  constraint reservations_pk primary key (account_id, id)
);
create unique index reservations_by_idempotency_key on reservations (account_id, idempotency_key) where idempotency_key is not null;

-- A call of a gateway: what turnpike_meter is asked to do. Attributes that a kind of calls has no use for are null.
-- item: its number in the statement. attempt: from the second on, an earlier one may have taken effect. at: Unix
-- milliseconds, null for the database's clock. credits: what the rolling cap counts. units: what the ledger counts, its
-- credits where null. body_start, body_bytes: where the answer to keep is in what comes with the calls. keep_bytes: how
-- much of answers the caller may have kept with this one.
create type turnpike_call as (
  item integer,
  kind text,
  account_id bigint,
  reservation uuid,
  attempt integer,
  at bigint,
  purse text,
  key_hash text,
  api_key_id bigint,
  amount bigint,
  credits bigint,
  lease_ms bigint,
  idempotency_key text,
  fingerprint text,
  resource text,
  detail text,
  request_id text,
  body_start integer,
  body_bytes integer,
  units bigint,
  keep_bytes bigint
);
