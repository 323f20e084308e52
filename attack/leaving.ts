import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, judge } from './attack';
import { SLOW_ANSWER_MS } from './stage/recorder';
import { keyOf, ownOf, type Target } from './target';
import { ask, askJson, bearer } from './wire/ask';
import { burst } from './wire/burst';

const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const CALLS = 20;
/** Price of one read: 20 credits of 0.0000007 USD. */
const READ_USD = 0.000014;
/** Time in which the gateway makes the charges that follow a caller's disconnection. */
const AFTERWARDS_MS = 3_000;

async function balanceUsd(target: Target): Promise<number> {
  const { json } = await ask(target, { path: '/api/v1/billing/balance', headers: bearer(keyOf(target)) });
  return (json.balances as { usd: number } | undefined)?.usd ?? Number.NaN;
}

export const LEAVING_ATTACKS: readonly Attack[] = [
  {
    id: 'leave-after-reads',
    title: `${CALLS} reads whose caller leaves once they were sent upstream: what the upstream did must be paid`,
    needs: ['key', 'own gateway'],
    isQuick: true,
    run: async (target) => {
      const { recorder } = ownOf(target);
      const [startedMs, before] = [performance.now(), await balanceUsd(target)];
      const call = (index: number) => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getBalance',
        params: [`0x${(Date.now() * 100 + index).toString(16).padStart(40, '0')}`, 'latest'],
      });
      await burst(
        CALLS,
        (index) =>
          askJson(target, RPC, call(index), {
            headers: bearer(keyOf(target)),
            signal: AbortSignal.timeout(SLOW_ANSWER_MS * 0.6),
          }),
        5,
      );
      await sleep(AFTERWARDS_MS);
      const done = recorder.since(startedMs, '/scripted').filter(({ body }) => body.includes('eth_getBalance')).length;
      const paid = before - (await balanceUsd(target));
      return judge(
        done > 0 && paid >= done * READ_USD * 0.999,
        `${done} reads were sent upstream, ${(paid / READ_USD).toFixed(1)} were paid`,
      );
    },
  },
  {
    id: 'leave-before-first-word',
    title:
      'Five chats with a prompt of 60 kB whose caller leaves before the first word: what the upstream read must be paid',
    needs: ['key', 'own gateway'],
    isQuick: false,
    run: async (target) => {
      const { recorder } = ownOf(target);
      const [startedMs, before] = [performance.now(), await balanceUsd(target)];
      const body = {
        model: 'guide',
        stream: true,
        max_tokens: 50,
        messages: [{ role: 'user', content: 'staking '.repeat(7_500) }],
      };
      recorder.delayMs = ({ path }) => (path.startsWith('/guide/v1/chat') ? 600 : 0);
      await burst(
        5,
        () =>
          askJson(target, '/api/v1/chat/completions', body, {
            headers: bearer(keyOf(target)),
            signal: AbortSignal.timeout(350),
          }),
        5,
      );
      await sleep(AFTERWARDS_MS);
      recorder.delayMs = () => 0;
      const done = recorder.since(startedMs, '/guide/v1/chat').length;
      const paid = before - (await balanceUsd(target));
      return judge(
        done > 0 && paid > done * 0.001,
        `${done} prompts were sent upstream, ${paid.toFixed(6)} USD were paid`,
      );
    },
  },
];
