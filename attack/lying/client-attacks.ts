import { type Attack, notHeld, type Verdict } from '../attack';
import { benchOf } from '../target';
import { type BenchCall, CALLS, type ClientBench, type Surface, SURFACES } from './client-bench';
import { FAMILIES, type Family } from './endpoint';
import { tellsWithoutEnd } from './large-bodies';
import { faultsOfLed } from './faults';
import { SECRET } from './library-calls';
import type { Generation } from './call-outcome';
import { COMPUTING } from './patience';
import { whateverIsTold } from './property';
import { toldCalls } from './told-lies';

const TIMEOUT_MS = 3_600_000;
const AT_ONCE = 16;
const COMPUTING_AT_ONCE = 10;

const ABOUT: Readonly<Record<Family, string>> = {
  books: 'balances and charges',
  keys: 'API keys and their minting',
  chains: 'chains',
  models: 'models and settings',
  chats: 'private chats',
  media: 'speech, pictures, vectors and videos',
  money: 'payments',
};
const TO: Readonly<Record<Surface, string>> = {
  library: 'the library',
  command: 'the command',
  proxy: 'the proxy',
  mcp: 'the MCP server',
};
/** One attack on each way to use the client. Together they cover money, proofs, files and the terminal. */
const QUICK: readonly string[] = [
  'library-money',
  'library-chats',
  'library-models',
  'command-books',
  'command-keys',
  'proxy-chains',
  'mcp-media',
];

/** Attacks with false answers: one for each way to use the client and each family of endpoints. */
const FALSE_ANSWERS: readonly Attack[] = SURFACES.flatMap((surface) =>
  FAMILIES.flatMap((family): Attack[] => {
    const calls = CALLS[surface].filter((call) => call.family === family);
    if (calls.length === 0) return [];
    const name = `${surface}-${family}`;
    return [
      {
        id: `client-${name}`,
        title: `A gateway that answers anything about ${ABOUT[family]} to ${TO[surface]}`,
        needs: ['client'],
        isQuick: QUICK.includes(name),
        timeoutMs: TIMEOUT_MS,
        run: (target) => {
          const { bench, generation } = benchOf(target);
          return lied(bench, surface, calls, generation);
        },
      },
    ];
  }),
);

export const CLIENT_ATTACKS: readonly Attack[] = [
  ...FALSE_ANSWERS,
  {
    id: 'client-endless-bodies',
    title:
      'A gateway whose answers do not end: blanks, one-byte chunks, packed to a thousandth, objects, brackets, events',
    needs: ['client'],
    isQuick: false,
    timeoutMs: TIMEOUT_MS,
    run: (target) => tellsWithoutEnd(benchOf(target).bench),
  },
];

async function lied(
  bench: ClientBench,
  surface: Surface,
  calls: readonly BenchCall[],
  generation: Generation,
): Promise<Verdict> {
  const call = await bench.caller(surface);
  for (const { name } of calls) {
    // Calls the client with honest answers, because a client that does nothing would also show no faults.
    const { faults, isDone, ending } = await call({ call: name, lies: {} });
    if (!isDone || faults.length > 0) return notHeld(`told the truth, ${ending}: ${faults.join('; ')}`);
  }
  const verdict = await whateverIsTold(
    toldCalls(calls),
    generation,
    calls.some(({ family }) => COMPUTING.includes(family)) ? COMPUTING_AT_ONCE : AT_ONCE,
    call,
  );
  const led = faultsOfLed((await bench.gateway()).led.splice(0), SECRET);
  return led.length === 0 ? verdict : notHeld(`${led[0]} | ${verdict.evidence}`);
}
