-- Returns the caller's meter, locked until the end of the transaction. If another transaction holds it, waits if
-- p_wait, else returns null. Every writer of a caller's meter, reservations or idempotency records must hold this lock.
-- With p_wait, raises no_data_found for an account that does not exist.
create or replace function turnpike_lock(p_account_id bigint, p_wait boolean) returns meters language plpgsql as $$
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
end $$;
