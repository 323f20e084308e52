/**
 * How many idempotency keys each caller has in use, and how many bytes of answers, kept by a trigger. Whoever writes
 * a caller's records holds the lock of the caller's meter, so that two of them cannot block each other.
 */
export const SUMS = [
  // Answers of up to 1 KiB are as cheap as the note that stands for one that was not kept, and count by number only.
  `create function turnpike_kept_bytes(p_body bytea) returns bigint language sql immutable as
   $$ select case when octet_length(p_body) > 1024 then octet_length(p_body) else 0 end::bigint $$`,

  `create function turnpike_sum_records() returns trigger language plpgsql as $$
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
   end $$`,
  'create trigger idempotency_records_summed after insert or delete or update of body on idempotency_records for each row execute function turnpike_sum_records()',
  `insert into idempotency_sums (account_id, records, bytes)
     select account_id, count(*), sum(turnpike_kept_bytes(body)) from idempotency_records group by account_id`,

  // Deletes records made at or before a time, the oldest first, p_count at most. Callers that are busy are left to the next time.
  `create function turnpike_forget_records(p_until bigint, p_count integer) returns integer language plpgsql as $$
   declare
     v_accounts bigint[];
     v_deleted integer;
   begin
     select array_agg(account_id) into v_accounts from (
       select m.account_id from meters m
        where m.account_id in (select r.account_id from idempotency_records r where r.created_at <= p_until order by r.created_at limit p_count)
        order by m.account_id for no key update of m skip locked) as locked;
     with expired as (
       select account_id, key from idempotency_records
        where created_at <= p_until and account_id = any(v_accounts) order by created_at limit p_count)
     delete from idempotency_records r using expired e where r.account_id = e.account_id and r.key = e.key;
     get diagnostics v_deleted = row_count;
     return v_deleted;
   end $$`,
];
