-- Returns whether a request was charged. If a reservation is missing, either an earlier attempt settled it and its
-- answer was lost, or its lease ended and other calls may use its money. The ledger tells the two apart. The caller's
-- newest 10,000 rows suffice, because request ids are unique and a charge is not older than its lease.
create or replace function turnpike_was_charged(p_account_id bigint, p_request_id text) returns boolean language sql stable as $$
  select exists (
    select from (select request_id, kind from ledger where account_id = p_account_id order by id desc limit 10000) as newest
     where request_id = p_request_id and kind = 'CHARGE')
$$;
