-- Parts of the schema that only Postgres needs, because several gateways share it: reservations, and the argument type
-- of the functions.

-- The process that made a reservation may die. After expires_at the reservation no longer holds money, and the
-- checkpoint of a long-running call (noted_*) is charged. The meter's held_* sums include the holds until the row is
-- deleted. diem_epoch: the epoch of the daily pot that diem is held from.
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

-- One call in a gateway's request to turnpike_meter. Attributes that a kind does not use are null.
-- item: the call's number in the statement. attempt: from 2 on, an earlier attempt may have taken effect. at: Unix
-- milliseconds, null for the database's clock. credits: counted by the rolling cap. units: counted by the ledger; null
-- means credits. body_start, body_bytes: position in p_bodies of the answer to keep. keep_bytes: the caller's budget
-- for kept answers, including this one.
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
