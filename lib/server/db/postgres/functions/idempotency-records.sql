-- Returns how many bytes a stored answer takes from its caller's budget. Answers of up to 1 KiB take none, because they
-- need little more space than their record. Only their number is limited.
create or replace function turnpike_kept_bytes(p_body bytea) returns bigint language sql immutable as
$$ select case when octet_length(p_body) > 1024 then octet_length(p_body) else 0 end::bigint $$;

-- Trigger: counts each caller's idempotency keys and stored bytes. Two of these updates cannot deadlock, because every
-- writer of a caller's records holds the lock of the caller's meter.
create or replace function turnpike_sum_records() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into idempotency_sums as s (account_id, records, bytes) values (new.account_id, 1, turnpike_kept_bytes(new.body))
      on conflict (account_id) do update set records = s.records + 1, bytes = s.bytes + excluded.bytes;
  elsif tg_op = 'DELETE' then
    update idempotency_sums set records = records - 1, bytes = bytes - turnpike_kept_bytes(old.body) where account_id = old.account_id;
  else
    update idempotency_sums set bytes = bytes + turnpike_kept_bytes(new.body) - turnpike_kept_bytes(old.body) where account_id = new.account_id;
  end if;
  return null;
end $$;

create or replace trigger idempotency_records_summed after insert or delete or update of body on idempotency_records
  for each row execute function turnpike_sum_records();

-- Deletes at most p_count idempotency records that were made at or before p_until, oldest first. Locks each caller's
-- meter. Skips a caller whose meter is locked, so that a busy caller does not delay the others. Returns the number of
-- deleted records.
create or replace function turnpike_forget_records(p_until bigint, p_count integer) returns integer language plpgsql as $$
declare
  v_account bigint;
  v_seen bigint[] := '{}';
  v_deleted integer := 0;
  v_rows integer;
begin
  while v_deleted < p_count loop
    -- Caller of the oldest record, among callers that were not visited yet.
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
