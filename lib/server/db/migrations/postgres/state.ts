/** The functions' common ground: what a call is, the clock, a caller's meter under its lock, and names of periods. */
export const STATE = [
  `create type turnpike_call as (
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
     body_bytes integer
   )`,

  // The database's clock, so that gateways whose clocks differ agree; read after the caller's lock is held, so that
  // calls of one caller see it in the order in which they are admitted.
  `create function turnpike_now() returns bigint language sql volatile as
   $$ select floor(date_part('epoch', clock_timestamp()) * 1000)::bigint $$`,

  // The caller's meter, locked until the end of the transaction; null where another transaction holds it, unless
  // waiting is asked for.
  `create function turnpike_lock(p_account_id bigint, p_wait boolean) returns meters language plpgsql as $$
   declare
     m meters;
   begin
     if p_wait then
       select * into m from meters where account_id = p_account_id for no key update;
       if not found then raise exception 'Account % does not exist.', p_account_id using errcode = 'no_data_found'; end if;
     else
       select * into m from meters where account_id = p_account_id for no key update skip locked;
     end if;
     return m;
   end $$`,

  `create function turnpike_keep(m meters) returns void language plpgsql as $$
   begin
     update meters set
       diem = m.diem, bundled = m.bundled, usd = m.usd, x402 = m.x402,
       minute_started_at = m.minute_started_at, minute_requests = m.minute_requests,
       held_diem = m.held_diem, held_bundled = m.held_bundled, held_usd = m.held_usd, held_x402 = m.held_x402,
       held_credits = m.held_credits, credits_minute = m.credits_minute, credits_total = m.credits_total,
       lease_due_at = m.lease_due_at
     where account_id = m.account_id;
   end $$`,

  // The period of a key's limit, as it is named in key_spend: epochs are days of UTC.
  `create function turnpike_period(p_limit_period text, p_now bigint) returns text language sql immutable as $$
     select case p_limit_period
       when 'LIFETIME' then 'all'
       when 'MONTH' then to_char(to_timestamp(p_now / 1000) at time zone 'UTC', 'YYYY-MM')
       else to_char(to_timestamp(p_now / 1000) at time zone 'UTC', 'YYYY-MM-DD')
     end
   $$`,
];
