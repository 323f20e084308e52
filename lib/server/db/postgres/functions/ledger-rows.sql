-- Returns the stored form of a request id: a uuid for 32 hex characters (not all 0), otherwise all 0.
create or replace function turnpike_request(p_id text) returns uuid language sql immutable parallel safe as $$
  select case when length(p_id) = 32 and p_id !~ '[^0-9a-f]' then p_id::uuid else '00000000-0000-0000-0000-000000000000' end
$$;

-- Returns what is stored of a request id beside turnpike_request: the id itself if that is all 0, otherwise ''.
create or replace function turnpike_reference(p_request uuid, p_id text) returns text language sql immutable parallel safe as $$
  select case when p_request = '00000000-0000-0000-0000-000000000000' then p_id else '' end
$$;

-- Trigger: inserts a row of the view ledger into ledger_rows. Charges write ledger_rows themselves.
create or replace function turnpike_enter_row() returns trigger language plpgsql as $$
declare
  v_request uuid := turnpike_request(new.request_id);
begin
  new.id := coalesce(new.id, nextval('ledger_rows_id_seq'));
  insert into ledger_rows (id, account_id, amount, balance_after, units, created_at, api_key_id, calls, name_id, archive_id, pot_number, request, kind, reference, resource, detail)
    overriding system value
    values (new.id, new.account_id, new.amount, new.balance_after, new.units, new.created_at, new.api_key_id, coalesce(new.calls, 1), 0, coalesce(new.archive_id, 0),
      array_position(array['diem', 'bundled', 'usd', 'x402'], new.pot) - 1, v_request, new.kind, turnpike_reference(v_request, new.request_id), new.resource, new.detail);
  return new;
end $$;

create or replace trigger ledger_enters_row instead of insert on ledger
  for each row execute function turnpike_enter_row();

-- Numbers names for later charges. Charges add none, so that none waits for another. Returns the number of new names.
create or replace function turnpike_learn_names(p_resource text[], p_detail text[]) returns integer language sql as $$
  with added as (
    insert into ledger_names (resource, detail)
      select distinct n.resource, n.detail from unnest(p_resource, p_detail) as n (resource, detail)
       where (select count(*) from ledger_names) < 10000
         and not exists (select from ledger_names k where k.resource = n.resource and k.detail = n.detail)
      on conflict do nothing
    returning 1
  )
  select count(*)::integer from added
$$;
