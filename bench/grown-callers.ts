import { sql } from 'kysely';
import { hashApiKey, newApiKeySecret } from '@/lib/server/db/api-keys';
import { openPostgres } from '@/lib/server/db/postgres/open';
import { Secret } from '@/lib/server/config/secret';
import { TestPostgres } from '@/test/test-postgres';
import { cpuSeconds } from './cpu-time';
import type { GrownRow, Track } from './grown-row';
import { rpcRequest, runLoad } from './load';
import { startGateway, startRole, UNLIMITED } from './programs';
import { READS } from './workloads';

const CALLERS = [2_000, 100_000] as const;
const CONNECTIONS = 32;
const SECONDS_MAX = 300;
const CALLS_MIN = 20_000;

/** Measures the database's CPU time for a call, with more and more callers who take turns. */
export async function measureCallers(track: Track, progress: (text: string) => void): Promise<GrownRow[]> {
  progress('making callers on Postgres');
  const server = await TestPostgres.start({ durable: true });
  track({ stop: () => server.remove() });
  const databaseUrl = await server.createDatabase();
  const keys = await makeCallers(databaseUrl, Math.max(...CALLERS));
  const stub = track(await startRole('stub'));
  const { port } = track(
    await startGateway({
      upstreamUrl: `http://127.0.0.1:${stub.port}`,
      entry: 'fast',
      callers: 0,
      wallets: 0,
      databaseUrl,
      config: { limits: UNLIMITED },
    }),
  );
  const requests = keys.map((key, index) =>
    rpcRequest({
      path: '/api/v1/crypto/rpc/ethereum-mainnet',
      body: READS.body(index),
      credential: `Authorization: Bearer ${key}`,
    }),
  );
  const measured: string[] = [];
  for (const callers of CALLERS) {
    const call = (requestsMax: number) =>
      runLoad({
        port,
        connections: CONNECTIONS,
        seconds: SECONDS_MAX,
        requests: requests.slice(0, callers),
        requestsMax,
      });
    progress(`${callers} callers on Postgres`);
    // The gateway looks up each caller once.
    await call(callers);
    const before = cpuSeconds(server.pid ?? 0);
    const { requests: calls, requestsPerSecond, refused } = await call(Math.max(CALLS_MIN, callers));
    const after = cpuSeconds(server.pid ?? 0);
    const micros = before === null || after === null ? null : ((after - before) * 1e6) / calls;
    measured.push(
      `${callers.toLocaleString('en')}: ${micros?.toFixed(0) ?? 'n/a'} µs, ${requestsPerSecond.toFixed(0)} calls/s, ${refused} not 200`,
    );
  }
  return [
    {
      name: 'database CPU a call on Postgres, by active callers',
      measured: measured.join('; '),
      before: '45 to 120 µs, and 368 to 1,500 µs with 45,000 to 100,000 callers',
    },
  ];
}

async function makeCallers(databaseUrl: string, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newApiKeySecret);
  const { db, close } = await openPostgres(new Secret(databaseUrl));
  try {
    const now = Date.now();
    await db.transaction().execute(async (transaction) => {
      await sql`insert into accounts (label, tier, created_at) select 'bench', 'staff', ${now}::bigint from generate_series(1, ${count}::int)`.execute(
        transaction,
      );
      await sql`insert into meters (account_id, diem, bundled, usd, x402, minute_started_at, minute_requests)
        select id, 0, 0, 1000000000000, 0, 0, 0 from accounts`.execute(transaction);
      await sql`insert into ledger (account_id, pot, kind, amount, balance_after, resource, detail, units, request_id, created_at)
        select id, 'usd', 'GRANT', 1000000000000, 1000000000000, 'grant', '', 0, '', ${now}::bigint from accounts`.execute(
        transaction,
      );
      await sql`insert into api_keys (account_id, hash, last6, type, description, limit_period, created_at)
        select a.id, k.hash, '', 'INFERENCE', 'bench', 'LIFETIME', ${now}::bigint
          from unnest(${keys.map(hashApiKey)}::text[]) with ordinality k (hash, n)
          join (select id, row_number() over (order by id) as n from accounts) a on a.n = k.n`.execute(transaction);
    });
    await sql`vacuum analyze`.execute(db);
  } finally {
    await close();
  }
  return keys;
}
