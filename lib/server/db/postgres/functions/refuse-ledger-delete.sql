-- Trigger: rows of the ledger are not removed. Charges that are in an archive go in the transaction that writes their
-- daily rows, which says in ledger_archiving how old they are.
create or replace function turnpike_refuse_ledger_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_archiving)
     or exists (select from gone where kind <> 'CHARGE' or created_at >= (select max(before_at) from ledger_archiving)) then
    raise exception 'the ledger is append-only';
  end if;
  return null;
end $$;

create or replace trigger ledger_refuses_delete after delete on ledger
  referencing old table as gone for each statement execute function turnpike_refuse_ledger_delete();
