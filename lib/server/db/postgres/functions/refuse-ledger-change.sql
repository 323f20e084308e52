-- Triggers: the ledger is append-only. An update or truncate fails even if it affects no row.
create or replace function turnpike_refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;

create or replace trigger ledger_refuses_update before update on ledger
  for each statement execute function turnpike_refuse_ledger_change();
create or replace trigger ledger_refuses_truncate before truncate on ledger
  for each statement execute function turnpike_refuse_ledger_change();
