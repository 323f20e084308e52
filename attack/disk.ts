import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Attack, judge } from './attack';
import { LARGE_ANSWER_BYTES } from './stage/recorder';
import { keyOf, ownOf } from './target';
import { askJson, bearer } from './wire/ask';
import { burst, counted } from './wire/burst';

const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const ANSWERS = 16;

export const DISK_ATTACKS: readonly Attack[] = [
  {
    id: 'disk-by-idempotency-keys',
    title: `${ANSWERS} answers of ${LARGE_ANSWER_BYTES / 1e6} MB under idempotency keys: what they leave on disk`,
    needs: ['key', 'own gateway'],
    isQuick: false,
    run: async (target) => {
      const { dataDir } = ownOf(target);
      const before = bytesIn(dataDir);
      const answers = await burst(
        ANSWERS,
        (index) =>
          askJson(
            target,
            RPC,
            {
              jsonrpc: '2.0',
              id: 1,
              method: 'eth_getLogs',
              params: [{ fromBlock: `0x${(Date.now() + index).toString(16)}` }],
            },
            { headers: { ...bearer(keyOf(target)), 'idempotency-key': `hog-${Date.now()}-${index}` } },
          ),
        2,
      );
      const grown = bytesIn(dataDir) - before;
      const answered = answers.reduce((sum, { text }) => sum + text.length, 0);
      return judge(
        grown < (ANSWERS * LARGE_ANSWER_BYTES) / 2,
        `${(grown / 1e6).toFixed(0)} MB more on disk after answers of ${(answered / 1e6).toFixed(0)} MB; ${counted(answers.map(({ status }) => status))}`,
      );
    },
  },
];

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}
