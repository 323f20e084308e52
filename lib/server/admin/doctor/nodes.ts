import type { Network } from '@/lib/protocol/networks';
import type { Config, UpstreamConfig } from '../../config/load';
import { chainIdentityOf } from '../../upstreams/nodes/chain-proof';
import { askNode, NoAnswer, type Question, whyUnusable } from './ask';
import { type ClockReading, readingOf } from './clock';
import { fault, type Finding, ok, warning } from './finding';

interface NodeLook {
  network: Network;
  subject: string;
  upstream: UpstreamConfig;
  chainIdentity: Config['networks'][string]['chainIdentity'];
  timeoutMs: number;
  now: () => number;
}

/** Maximum age of the newest block. If it is older, the node no longer follows its chain. */
const HEAD_AGE_MAX_MS = 120_000;
/** Maximum time by which a block may be ahead of the clock. Chains allow times slightly in the future. */
const HEAD_AHEAD_MAX_MS = 20_000;
const SLOW_MS = 1_000;

/** Returns the endpoint and the headers that the gateway uses for an upstream. */
export function requestFor({ url, headers }: UpstreamConfig, timeoutMs: number): Omit<Question, 'body'> {
  return {
    url: url.reveal(),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()])),
    timeoutMs,
  };
}

/** Checks that a node answers, serves the configured chain, and keeps up with it. Never throws. */
export async function lookAtNode({
  network,
  subject,
  upstream,
  chainIdentity,
  timeoutMs,
  now,
}: NodeLook): Promise<{ findings: Finding[]; clock: ClockReading | null }> {
  const question = requestFor(upstream, timeoutMs);
  const identity = chainIdentityOf(network, chainIdentity);
  try {
    const first = await askNode(identity?.request.method ?? HEADS[network.kind].method, [], question, now);
    const clock = readingOf(first);
    const { result } = first;
    if (identity && !((typeof result === 'string' || typeof result === 'number') && identity.matches(result))) {
      const sentence = `The upstream serves another chain: its ${identity.request.method} is ${JSON.stringify(result)?.slice(0, 80)}, but ${network.slug} has ${identity.expected}.`;
      return {
        findings: [
          fault(subject, sentence, `Configure an upstream of ${network.slug}; the gateway does not use this one.`),
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
    return {
      findings: [
        fault(
          subject,
          `The upstream cannot be used: ${whyUnusable(error)}.`,
          'Check that the URL and key are right and that the node runs. Until then, calls go to other upstreams of the network, or fail.',
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
      `The newest block of the upstream, ${height}, is ${Math.round(ageMs / 1000)} s old.${speed}`,
      'Check that the node is synchronized and has peers.',
    );
  if (ageMs < -HEAD_AHEAD_MAX_MS)
    return warning(
      subject,
      `The newest block of the upstream, ${height}, is ${Math.round(-ageMs / 1000)} s in the future by this machine's clock.`,
      'Check the clock of this machine.',
    );
  if (speed)
    return warning(
      subject,
      `The upstream serves ${network.slug}.${speed}`,
      'Use an upstream that is nearer or faster.',
    );
  return ok(
    subject,
    `The upstream serves ${network.slug}, at block ${height}.${isProved ? '' : ' The check of its chain is turned off.'}`,
  );
}

interface Head {
  height: number;
  timeMs: number;
}

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
