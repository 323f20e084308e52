-- Whether a request was charged. A reservation that is not there was settled by an earlier attempt whose answer was lost,
-- as the ledger tells, or is gone: its lease ran out, and what it held may be somebody else's. Request ids are unique, and
-- a charge cannot be older than its lease, so the caller's newest 10,000 rows tell.
create or replace function turnpike_was_charged(p_account_id bigint, p_request_id text) returns boolean language sql stable as $$
  select exists (
    select from (select request_id, kind from ledger where account_id = p_account_id order by id desc limit 10000) as newest
     where request_id = p_request_id and kind = 'CHARGE')
$$;
