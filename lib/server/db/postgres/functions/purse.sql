-- Returns the balance of a purse, reserved money included. 'x402' is prepaid money; 'account' is the daily pot, bundled
-- credits and USD together; 'all' is both.
create or replace function turnpike_purse(m meters, p_purse text, p_now bigint) returns bigint language sql immutable as
$$ select case when p_purse = 'x402' then m.x402 else turnpike_diem(m, p_now) + m.bundled + m.usd + case when p_purse = 'all' then m.x402 else 0 end end $$;
