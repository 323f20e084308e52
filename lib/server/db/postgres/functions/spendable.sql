-- Returns what can be reserved from a purse now: its balance minus its holds.
create or replace function turnpike_spendable(m meters, p_purse text, p_now bigint) returns bigint language sql immutable as
$$ select case when p_purse = 'x402' then m.x402 - m.held_x402
     else greatest(0, turnpike_diem(m, p_now) - m.held_diem) + m.bundled - m.held_bundled + m.usd - m.held_usd + case when p_purse = 'all' then m.x402 - m.held_x402 else 0 end end $$;
