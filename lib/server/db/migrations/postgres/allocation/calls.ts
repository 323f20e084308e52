/** What a gateway calls, as before; each reserve and settle also says what the caller's purse has left. */
export const CALLS = [
  'drop function turnpike_meter',
  // Callers are taken in the order of their ids, so that two of these cannot block each other. A caller whose meter
  // another transaction holds is passed over ('contended') rather than waited for, unless p_wait_ms says how long.
  // Bodies to be kept for replays come in one value, each call with its place in it.
  // Without p_durable the commit does not wait for the disk: right for reservations alone, which a crash may lose,
  // because nothing is answered before its charge is on disk.
  `create function turnpike_meter(p_calls jsonb, p_bodies bytea, p_limits jsonb, p_durable boolean, p_wait_ms integer)
   returns table (item integer, outcome text, refusal jsonb, replay bytea, remaining bigint) language plpgsql as $$
   #variable_conflict use_column
   declare
     c turnpike_call;
     m meters;
     v_account bigint;
     v_now bigint;
     r record;
   begin
     -- Every look-up here is by key. The tables of what runs now are often empty when they are analysed, and a plan
     -- that reads all of one is kept for when it no longer is.
     perform set_config('enable_seqscan', 'off', true);
     if not p_durable then perform set_config('synchronous_commit', 'off', true); end if;
     if p_wait_ms is not null then perform set_config('lock_timeout', p_wait_ms::text, true); end if;
     for c in select * from jsonb_populate_recordset(null::turnpike_call, p_calls) order by account_id, item loop
       if v_account is distinct from c.account_id then
         if m.account_id is not null then perform turnpike_keep(m); end if;
         m := turnpike_lock(c.account_id, p_wait_ms is not null);
         v_account := c.account_id;
       end if;
       item := c.item;
       refusal := null;
       replay := null;
       remaining := null;
       if m.account_id is null then
         outcome := 'contended';
         return next;
         continue;
       end if;
       v_now := coalesce(c.at, turnpike_now());
       if c.kind = 'reserve' then
         if m.lease_due_at <= v_now then m := turnpike_expire(m, v_now); end if;
         r := turnpike_reserve(m, c, p_limits, v_now);
         m := r.m;
         outcome := r.outcome;
         refusal := r.refusal;
         replay := r.replay;
         remaining := r.remaining;
       elsif c.kind = 'settle' then
         r := turnpike_settle(m, c, substr(p_bodies, c.body_start + 1, c.body_bytes), v_now);
         m := r.m;
         outcome := r.outcome;
         remaining := r.remaining;
       else
         r := turnpike_free(m, c.reservation);
         m := r.m;
         outcome := case when (r.r).id is null then 'gone' else 'released' end;
       end if;
       return next;
     end loop;
     if m.account_id is not null then perform turnpike_keep(m); end if;
   end $$`,
];
