-- Charges calls of many callers in one statement, by the same rules as turnpike_settle. The caller's meter must be
-- locked, and the caller has one call in the batch. Charges only simple calls: no key limit, no idempotency key, and a
-- hold of the current epoch that covers the charge. Leaves all other calls out of the result.
create or replace function turnpike_settle_together(p_calls turnpike_call[], p_now bigint)
returns table (item integer, remaining bigint) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with charged as (
    delete from reservations r using unnest(p_calls) as c, meters m
     where c.kind = 'settle' and r.account_id = c.account_id and r.id = c.reservation and m.account_id = c.account_id
       and r.limit_period is null and r.idempotency_key is null and r.diem_epoch = m.diem_epoch
       and (m.spent_minute = coalesce(c.at, p_now) / 60000 or m.spent_credits = 0)
       and c.amount <= r.diem + r.bundled + r.usd + r.x402
    returning c.item, c.account_id, c.purse, c.api_key_id, c.resource, c.detail, c.credits, coalesce(c.units, c.credits) as units, c.request_id, turnpike_request(c.request_id) as request, coalesce(c.at, p_now) as now,
      r.diem as held_diem, r.bundled as held_bundled, r.usd as held_usd, r.x402 as held_x402, r.credits as held_credits,
      least(c.amount, r.diem) as diem,
      least(c.amount - least(c.amount, r.diem), r.bundled) as bundled,
      least(greatest(0, c.amount - r.diem - r.bundled), r.usd) as usd,
      greatest(0, c.amount - r.diem - r.bundled - r.usd) as x402
  ),
  kept as (
    update meters m set
      diem = m.diem - c.diem, bundled = m.bundled - c.bundled, usd = m.usd - c.usd, x402 = m.x402 - c.x402,
      held_diem = m.held_diem - c.held_diem, held_bundled = m.held_bundled - c.held_bundled,
      held_usd = m.held_usd - c.held_usd, held_x402 = m.held_x402 - c.held_x402, held_credits = m.held_credits - c.held_credits,
      credits_total = case when m.credits_minute = c.now / 60000 then m.credits_total + c.credits else m.credits_total end,
      spent_minute = c.now / 60000, spent_credits = m.spent_credits + c.credits
    from charged c where m.account_id = c.account_id
    returning c.*, m.diem as diem_after, m.bundled as bundled_after, m.usd as usd_after, m.x402 as x402_after,
      turnpike_purse(m, c.purse, c.now) as remaining
  ),
  entered as (
    insert into ledger_rows (account_id, pot_number, kind, amount, balance_after, api_key_id, name_id, resource, detail, units, request, reference, created_at, calls, archive_id)
      select k.account_id, p.pot, 'CHARGE', -p.amount, p.balance, k.api_key_id, coalesce(n.id, 0), case when n.id is null then k.resource else '' end, case when n.id is null then k.detail else '' end,
             k.units, k.request, turnpike_reference(k.request, k.request_id), k.now, (p.before = 0)::integer, 0
        from kept k left join ledger_names n on n.resource = k.resource and n.detail = k.detail cross join lateral
          (values (0, k.diem, k.diem_after, 0), (1, k.bundled, k.bundled_after, k.diem), (2, k.usd, k.usd_after, k.diem + k.bundled), (3, k.x402, k.x402_after, k.diem + k.bundled + k.usd))
          as p (pot, amount, balance, before)
       where p.amount > 0
  )
  select item, remaining from kept;
end $$;
