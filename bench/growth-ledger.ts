import type { DatabaseSync } from 'node:sqlite';
import { POTS } from '@/lib/server/db/schema';

const DAY_MS = 86_400_000;
const OPENING_NANO_USD = 1e15;
const PRICE_NANO_USD = 10;

export interface GrownLedger {
  accounts: number;
  /** Accounts that make calls. */
  active: number;
  days: number;
  chargesPerDay: number;
  /** Credited payments, all of the first account. */
  payments: number;
  /** Completed videos, all of the second account. */
  videos: number;
  /** Start of the first UTC day, Unix milliseconds. */
  start: number;
}

/** Fills an empty database with a consistent ledger, in chronological order. @returns the number of charges */
export function fillLedger(database: DatabaseSync, ledger: GrownLedger): number {
  const { accounts, active, days, chargesPerDay, payments, videos, start } = ledger;
  const perDay = active * chargesPerDay;
  const column = 'account_id, pot, kind, amount, balance_after, resource, detail, units, request_id, created_at';
  const series = (count: number): string =>
    `with recursive n(i) as (select 0 where ${count} > 0 union all select i + 1 from n where i + 1 < ${count})`;
  database.exec('begin');
  database.exec(
    `insert into accounts (id, label, tier, created_at) ${series(accounts)} select i + 1, 'a', 'paid', ${start} from n`,
  );
  database.exec(`insert into ledger (${column}) ${series(accounts)}
    select i + 1, 'usd', 'GRANT', ${OPENING_NANO_USD}, ${OPENING_NANO_USD}, '', '', 0, 'grant', ${start} from n`);
  database.exec("insert into ledger_names (id, resource, detail) values (1, 'rpc/ethereum-mainnet', 'eth_call')");
  for (let day = 0; day < days; day++)
    database.exec(`insert into ledger_rows (account_id, pot_number, kind_number, amount, balance_after, name_id, units, request, created_at) ${series(perDay)}
      select 1 + i % ${active}, ${POTS.indexOf('usd')}, 0, ${-PRICE_NANO_USD},
        ${OPENING_NANO_USD} - ${PRICE_NANO_USD} * (${day * chargesPerDay} + i / ${active} + 1), 1, 20,
        randomblob(16), ${start + day * DAY_MS} + cast(i * ${DAY_MS - 1} / ${Math.max(1, perDay)} as integer) from n`);
  const end = start + days * DAY_MS;
  database.exec(`insert into ledger (${column}) ${series(payments)}
    select 1, 'x402', 'TOP_UP', ${PRICE_NANO_USD}, ${PRICE_NANO_USD} * (i + 1), '', '', 0, 'pay_' || i, ${end} from n`);
  database.exec(`insert into payments (id, identity, network, asset, payer, pay_to, amount_units, amount, state, content,
      from_height, next_look_at, created_at, account_id) ${series(payments)}
    select 'pay_' || i, 'i' || i, 'n', 'a', 'p', 't', '1', ${PRICE_NANO_USD}, 'credited', '', 0, 0, ${end}, 1 from n`);
  const spent = active >= 2 ? PRICE_NANO_USD * days * chargesPerDay : 0;
  database.exec(`insert into ledger (${column}) ${series(videos)}
    select 2, 'usd', 'CHARGE', ${-PRICE_NANO_USD}, ${OPENING_NANO_USD - spent} - ${PRICE_NANO_USD} * (i + 1), 'video/m', '', 1, 'v' || i, ${end} from n`);
  database.exec(`insert into video_requests (id, account_id, model, upstream, content, price, request_id, state, next_look_at, created_at)
    ${series(videos)} select 'v' || i, 2, 'm', 'u', '{}', ${PRICE_NANO_USD}, 'v' || i, 'COMPLETED', 0, ${end} from n`);
  database.exec(`insert into meters (account_id, usd, x402)
    select id, (select balance_after from ledger where account_id = accounts.id and pot = 'usd' order by ledger.id desc limit 1),
      case when id = 1 then ${PRICE_NANO_USD * payments} else 0 end from accounts`);
  database.exec('commit');
  return days * perDay;
}
