-- Trigger: counts each caller's idempotency keys and kept bytes. Two of these updates cannot deadlock, because every
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
