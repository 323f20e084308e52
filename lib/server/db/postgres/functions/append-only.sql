-- Triggers: the ledger and its names are append-only. A change fails even if it affects no row.
create or replace function turnpike_refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;

create or replace trigger ledger_refuses_update before update on ledger_rows
  for each statement execute function turnpike_refuse_ledger_change();
create or replace trigger ledger_refuses_truncate before truncate on ledger_rows
  for each statement execute function turnpike_refuse_ledger_change();
create or replace trigger ledger_names_refuse_change before update or delete or truncate on ledger_names
  for each statement execute function turnpike_refuse_ledger_change();
create or replace trigger ledger_view_refuses_change before update or delete on ledger
  for each statement execute function turnpike_refuse_ledger_change();
-- Without this trigger, Postgres refuses changes of the view before it runs the one above.
create or replace trigger ledger_view_refuses_row instead of update or delete on ledger
  for each row execute function turnpike_refuse_ledger_change();

-- Trigger: no ledger rows can be deleted, except archived charges. The transaction that replaces charges by daily rows
-- first writes a time to ledger_archiving. It may delete only charges that are older than that time.
create or replace function turnpike_refuse_ledger_delete() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_archiving)
     or exists (select from gone where kind <> 'CHARGE' or created_at >= (select max(before_at) from ledger_archiving)) then
    raise exception 'the ledger is append-only';
  end if;
  return null;
end $$;

create or replace trigger ledger_refuses_delete after delete on ledger_rows
  referencing old table as gone for each statement execute function turnpike_refuse_ledger_delete();

-- Triggers: the audit log of operators' commands is append-only.
create or replace function turnpike_refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;

create or replace trigger audit_refuses_change before update or delete or truncate on audit_log
  for each statement execute function turnpike_refuse_audit_change();
