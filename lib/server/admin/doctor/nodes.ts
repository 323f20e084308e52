import type { Network } from '@/lib/protocol/networks';
import type { Config, UpstreamConfig } from '../../config/load';
import { chainIdentityOf } from '../../upstreams/nodes/chain-identity';
import { askNode, NoAnswer, type Question } from './ask';
import { type ClockReading, readingOf } from './clock';
import { fault, type Finding, ok, warning } from './finding';

/** What a node is asked with. */
export interface NodeLook {
  network: Network;
  subject: string;
  upstream: UpstreamConfig;
  chainIdentity: Config['networks'][string]['chainIdentity'];
  timeoutMs: number;
  now: () => number;
}

/** A head that is older than this stands still, whatever the chain. */
const HEAD_AGE_MAX_MS = 120_000;
/** Blocks may be a little ahead of true time, by the rules of their chains. */
const HEAD_AHEAD_MAX_MS = 20_000;
const SLOW_MS = 1_000;

/** The endpoint of an upstream with its headers, as the gateway asks it. */
export function questionFor({ url, headers }: UpstreamConfig, timeoutMs: number): Omit<Question, 'body'> {
  return {
    url: url.reveal(),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()])),
    timeoutMs,
  };
}

/** Looks whether a node answers, is of the chain that it is configured for, and keeps up with it. Never throws. */
export async function lookAtNode({
  network,
  subject,
  upstream,
  chainIdentity,
  timeoutMs,
  now,
}: NodeLook): Promise<{ findings: Finding[]; clock: ClockReading | null }> {
  const question = questionFor(upstream, timeoutMs);
  const identity = chainIdentityOf(network, chainIdentity);
  try {
    const first = await askNode(identity?.request.method ?? HEADS[network.kind].method, [], question, now);
    const clock = readingOf(first);
    const { result } = first;
    if (identity && !((typeof result === 'string' || typeof result === 'number') && identity.matches(result))) {
      const sentence = `It serves another chain: ${identity.request.method} is ${JSON.stringify(result)?.slice(0, 80)}, and of ${network.slug} ${identity.expected}.`;
      return {
        findings: [
          fault(
            subject,
            sentence,
            `Configure an upstream of ${network.slug} here; the gateway refuses to use this one.`,
          ),
        ],
        clock,
      };
    }
    return {
      findings: [
        await lookAtHead({ network, subject, question, now, tookMs: first.tookMs, isProved: identity !== null }),
      ],
      clock,
    };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return {
      findings: [
        fault(
          subject,
          `No use can be made of it: ${error.message}.`,
          'See that its URL and key are right and that it runs; until then its calls go to the other upstreams of the network, or fail.',
        ),
      ],
      clock: null,
    };
  }
}

interface HeadLook {
  network: Network;
  subject: string;
  question: Omit<Question, 'body'>;
  now: () => number;
  tookMs: number;
  isProved: boolean;
}

async function lookAtHead({ network, subject, question, now, tookMs, isProved }: HeadLook): Promise<Finding> {
  const { height, timeMs } = await HEADS[network.kind].ask(question, now);
  const ageMs = now() - timeMs;
  const speed = tookMs > SLOW_MS ? ` It took ${Math.round(tookMs)} ms to answer.` : '';
  if (ageMs > HEAD_AGE_MAX_MS)
    return warning(
      subject,
      `Its newest block, ${height}, is ${Math.round(ageMs / 1000)} s old.${speed}`,
      'See that the node is synchronized and has peers.',
    );
  if (ageMs < -HEAD_AHEAD_MAX_MS)
    return warning(
      subject,
      `Its newest block, ${height}, is ${Math.round(-ageMs / 1000)} s in the future by this machine's clock.`,
      'Compare the clock of this machine.',
    );
  if (speed)
    return warning(
      subject,
      `It serves ${network.slug}.${speed}`,
      'Use an upstream that is nearer, or give it more room.',
    );
  return ok(
    subject,
    `It serves ${network.slug}, at block ${height}.${isProved ? '' : ' Its chain was not compared, as configured.'}`,
  );
}

interface Head {
  height: number;
  timeMs: number;
}

/** How each kind of chain is asked for its newest block and its time. */
const HEADS: Readonly<
  Record<Network['kind'], { method: string; ask(question: Omit<Question, 'body'>, now: () => number): Promise<Head> }>
> = {
  evm: {
    method: 'eth_chainId',
    ask: async (question, now) =>
      headOf((await askNode('eth_getBlockByNumber', ['latest', false], question, now)).result, 'number', 'timestamp'),
  },
  starknet: {
    method: 'starknet_chainId',
    ask: async (question, now) =>
      headOf(
        (await askNode('starknet_getBlockWithTxHashes', ['latest'], question, now)).result,
        'block_number',
        'timestamp',
      ),
  },
  solana: {
    method: 'getGenesisHash',
    ask: async (question, now) => {
      const slot = Number((await askNode('getSlot', [{ commitment: 'finalized' }], question, now)).result);
      return headOf({ slot, time: (await askNode('getBlockTime', [slot], question, now)).result }, 'slot', 'time');
    },
  },
};

function headOf(block: unknown, heightField: string, timeField: string): Head {
  const [height, seconds] = [heightField, timeField].map((field) =>
    Number((block as Record<string, unknown> | null)?.[field]),
  );
  if (!Number.isSafeInteger(height) || !Number.isFinite(seconds))
    throw new NoAnswer('its newest block has no number or no time');
  return { height: height as number, timeMs: (seconds as number) * 1000 };
}
