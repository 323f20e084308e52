-- Deletes at most p_count idempotency records made at or before p_until, oldest first. Locks each caller's meter, and
-- skips a caller whose meter is locked, so that one busy caller does not delay the others. Returns the number of
-- deleted records.
create or replace function turnpike_forget_records(p_until bigint, p_count integer) returns integer language plpgsql as $$
declare
  v_account bigint;
  v_seen bigint[] := '{}';
  v_deleted integer := 0;
  v_rows integer;
begin
  while v_deleted < p_count loop
    -- Caller of the oldest record, among callers not yet visited.
    select r.account_id into v_account from idempotency_records r
     where r.created_at <= p_until and r.account_id <> all(v_seen) order by r.created_at limit 1;
    exit when not found;
    v_seen := v_seen || v_account;
    perform 1 from meters m where m.account_id = v_account for no key update skip locked;
    continue when not found;
    with expired as (
      select account_id, key from idempotency_records
       where account_id = v_account and created_at <= p_until order by created_at limit p_count - v_deleted)
    delete from idempotency_records r using expired e where r.account_id = e.account_id and r.key = e.key;
    get diagnostics v_rows = row_count;
    v_deleted := v_deleted + v_rows;
  end loop;
  return v_deleted;
end $$;
