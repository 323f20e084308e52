-- Runs turnpike_expire for at most 1,000 callers with expired reservations, by ascending account id, so that callers
-- who never call again are cleaned up too. Skips a caller whose meter is locked. Returns the number of callers it
-- processed.
create or replace function turnpike_expire_all(p_now bigint) returns integer language plpgsql as $$
declare
  v_now bigint := coalesce(p_now, turnpike_now());
  v_account bigint;
  m meters;
  v_count integer := 0;
begin
  for v_account in select distinct account_id from reservations where expires_at <= v_now order by account_id limit 1000 loop
    m := turnpike_lock(v_account, false);
    continue when m.account_id is null;
    m := turnpike_expire(m, v_now);
    perform turnpike_keep(m);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
