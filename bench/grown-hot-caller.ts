import { TestPostgres } from '@/test/test-postgres';
import type { GrownRow, Track } from './grown-row';
import { rpcRequest, runLoad } from './load';
import { inTurn, medianOf } from './measurement';
import { type Program, startGateway, startRole, UNLIMITED } from './programs';
import { together } from './scale-figures';
import { READS } from './workloads';

const CONNECTIONS = 64;
const CALLERS = 2_000;
const SECONDS = 4;
const ROUNDS = 3;

/** Compares calls of one caller over two gateways on one Postgres with calls of many callers over the same gateways. */
export async function measureHotCaller(track: Track, progress: (text: string) => void): Promise<GrownRow[]> {
  progress('one caller on two gateways');
  const server = await TestPostgres.start({ durable: true });
  track({ stop: () => server.remove() });
  const stub = track(await startRole('stub'));
  const shared = {
    upstreamUrl: `http://127.0.0.1:${stub.port}`,
    databaseUrl: await server.createDatabase(),
    entry: 'fast' as const,
    wallets: 0,
    config: { limits: UNLIMITED },
  };
  const first = track(await startGateway({ ...shared, callers: CALLERS }));
  const gateways: Program[] = [first, track(await startGateway({ ...shared, callers: 0 }))];
  const requests = (keys: readonly string[]): Buffer[] =>
    Array.from({ length: CALLERS }, (_none, index) =>
      rpcRequest({
        path: '/api/v1/crypto/rpc/ethereum-mainnet',
        body: READS.body(index),
        credential: `Authorization: Bearer ${keys[index % keys.length]}`,
      }),
    );
  const hot = { requests: requests(first.keys.slice(0, 1)), perSecond: [] as number[], refused: 0 };
  const all = { requests: requests(first.keys), perSecond: [] as number[], refused: 0 };
  for (let round = 0; round <= ROUNDS; round++)
    for (const side of inTurn([hot, all], round + 1)) {
      const loads = gateways.map(({ port }) =>
        runLoad({ port, connections: CONNECTIONS / 2, seconds: SECONDS, requests: side.requests }),
      );
      const { requestsPerSecond, refused } = together(await Promise.all(loads));
      // Warm-up.
      if (round === 0) continue;
      side.perSecond.push(requestsPerSecond);
      side.refused += refused;
    }
  return [
    {
      name: 'one caller at 64 parallel on two gateways and one Postgres',
      measured: `${medianOf(hot.perSecond).toFixed(0)} calls/s, ${hot.refused} not 200; ${CALLERS} callers in turn: ${medianOf(all.perSecond).toFixed(0)} calls/s, ${all.refused} not 200`,
      before: '1,440 to 3,000 calls/s',
    },
  ];
}
