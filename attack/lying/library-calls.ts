import { listCharges, sumCharges } from '@/lib/client/billing';
import { listKeys, revokeKey } from '@/lib/client/api-keys';
import { listChatModels } from '@/lib/client/chat-models';
import { GatewayError, UnreachableError } from '@/lib/client/gateway-error';
import { askSettings } from '@/lib/client/gateway-settings';
import { askNetworkHealth, listNetworks } from '@/lib/client/network-health';
import { PrivateChatError } from '@/lib/client/private-chat';
import { createPrivateFetch } from '@/packages/turnpike-client/src/private-fetch';
import { speak, speechModels } from '@/packages/turnpike-client/src/speech';
import { createTurnpike, type Turnpike } from '@/packages/turnpike-client/src/turnpike';
import { isAbort, TurnpikeError, withTypedErrors } from '@/packages/turnpike-client/src/turnpike-error';
import type { TurnpikeEvent } from '@/packages/turnpike-client/src/turnpike-event';
import { makeVideo, videoModels } from '@/packages/turnpike-client/src/video';
import type { Family } from './endpoint';
import { SOLANA_CHAIN } from './payment-answers';
import { faultsOfMoney, type SignedAuthorization } from './faults';
import type { CallOutcome } from './call-outcome';
import { LEAVING_MS, patienceMs } from './patience';
import { evmRecordingWallet, solanaRecordingWallet } from './recording-wallets';
import { Scenario } from './scenario';
import type { ScriptedGateway } from './scripted-gateway';
import type { ToldCall } from './told-lies';

/** Text of a private question. Only the enclave may receive it in plain text. */
export const SECRET = 'a question that nobody else reads';
export const PER_DAY_USD = 12;
const MODEL = 'e2ee-guide';
/** Errors that a private stream may throw while its body is read. */
const OF_STREAMS = [PrivateChatError, GatewayError, UnreachableError];

interface Caller {
  turnpike: Turnpike;
  signal: AbortSignal;
  gateway: ScriptedGateway;
  scenario: Scenario;
}

/** Call of the library. `make` returns the forbidden results that it observed. */
interface LibraryCall {
  name: string;
  family: Family;
  /** Endpoints that the call uses and that may lie. */
  asks: readonly string[];
  onSolana?: boolean;
  make(caller: Caller): Promise<readonly string[] | void>;
}

const PAYING = ['top-up', 'sandbox'];

export const LIBRARY_CALLS: readonly LibraryCall[] = [
  {
    name: 'balance',
    family: 'books',
    asks: ['balance'],
    make: async ({ turnpike, signal }) =>
      unlessShaped(await turnpike.balance({ signal }), { canConsume: 'boolean', diemEpochAllocation: 'number' }),
  },
  {
    name: 'charges',
    family: 'books',
    asks: ['charges'],
    make: async ({ turnpike, signal }) =>
      (await withTypedErrors(() => listCharges(turnpike.connection, { limit: 5 }, { signal }))).data.flatMap((charge) =>
        unlessShaped(charge, { amount: 'string', detail: 'string', timestamp: 'string' }),
      ),
  },
  {
    name: 'sums',
    family: 'books',
    asks: ['charges'],
    make: async ({ turnpike, signal }) =>
      (await withTypedErrors(() => sumCharges(turnpike.connection, 'day', {}, { signal }))).data.flatMap((sum) =>
        unlessShaped(sum, { amount: 'string', group: 'string', charges: 'number' }),
      ),
  },
  {
    name: 'keys',
    family: 'keys',
    asks: ['keys'],
    make: async ({ turnpike, signal }) =>
      (await withTypedErrors(() => listKeys(turnpike.connection, { signal }))).data.flatMap((key) =>
        unlessShaped(key, { id: 'string', apiKeyType: 'string', description: 'string' }),
      ),
  },
  {
    name: 'revoke',
    family: 'keys',
    asks: ['revoke'],
    make: async ({ turnpike, signal }) => withTypedErrors(() => revokeKey(turnpike.connection, 'key-1', { signal })),
  },
  {
    name: 'rpc',
    family: 'chains',
    asks: ['rpc', ...PAYING],
    make: async ({ turnpike, signal }) =>
      void (await turnpike.rpc('base-mainnet', { method: 'eth_blockNumber' }, { signal })),
  },
  {
    name: 'networks',
    family: 'chains',
    asks: ['networks'],
    make: async ({ turnpike, signal }) =>
      (await withTypedErrors(() => listNetworks(turnpike.connection, { signal }))).flatMap((name) =>
        typeof name === 'string' ? [] : [`a network is ${typeof name}`],
      ),
  },
  {
    name: 'chat-models',
    family: 'models',
    asks: ['models'],
    make: async ({ turnpike, signal }) =>
      void (await withTypedErrors(() => listChatModels(turnpike.connection, { signal }))),
  },
  {
    name: 'speech-models',
    family: 'models',
    asks: ['models'],
    make: async ({ turnpike, signal }) =>
      (await speechModels(turnpike, { signal })).flatMap((model) =>
        unlessShaped(model, {
          id: 'string',
          name: 'string',
          defaultVoice: 'string',
          defaultFormat: 'string',
          usdPerMillionCharacters: 'number',
        }),
      ),
  },
  {
    name: 'video-models',
    family: 'models',
    asks: ['models'],
    make: async ({ turnpike, signal }) =>
      (await videoModels(turnpike, { signal })).flatMap((model) =>
        unlessShaped(model, { id: 'string', name: 'string', usdPerSecond: 'number' }),
      ),
  },
  {
    name: 'settings',
    family: 'models',
    asks: ['settings'],
    make: async ({ turnpike, signal }) =>
      void (await withTypedErrors(() => askSettings(turnpike.connection, { signal }))),
  },
  {
    name: 'network-health',
    family: 'models',
    asks: ['network-health'],
    make: async ({ turnpike, signal }) =>
      void (await withTypedErrors(() => askNetworkHealth(turnpike.connection, { signal }))),
  },
  {
    name: 'private-chat-whole',
    family: 'chats',
    asks: ['chat', 'attestation', 'signature', 'models'],
    make: (caller) => privateChat(caller, false),
  },
  {
    name: 'private-chat-streamed',
    family: 'chats',
    asks: ['chat', 'attestation', 'signature', 'models'],
    make: (caller) => privateChat(caller, true),
  },
  {
    name: 'speak',
    family: 'media',
    asks: ['speech', ...PAYING],
    make: async ({ turnpike, signal }) =>
      void (await (
        await speak(turnpike, { model: 'tts-1', voice: 'af_sky', input: 'Hello', response_format: 'mp3' }, { signal })
      ).bytes()),
  },
  {
    name: 'make-video',
    family: 'media',
    asks: ['queue-video', 'retrieve-video', 'complete-video', ...PAYING],
    make: async ({ turnpike, signal }) =>
      void (await makeVideo(
        turnpike,
        { model: 'video-1', prompt: 'A hill', duration: '5s', aspect_ratio: '16:9' },
        { signal, pollMs: 100, timeoutMs: 1_000 },
      )),
  },
  { name: 'pay-and-call', family: 'money', asks: ['rpc', ...PAYING], make: payAndCall },
  { name: 'top-up', family: 'money', asks: PAYING, make: topUps },
  {
    name: 'pay-and-call-on-solana',
    family: 'money',
    asks: ['rpc', 'top-up', 'solana-rpc'],
    onSolana: true,
    make: payAndCall,
  },
  { name: 'top-up-on-solana', family: 'money', asks: ['top-up', 'solana-rpc'], onSolana: true, make: topUps },
];

const PAYMENTS = 4;

async function payAndCall({ turnpike, signal }: Caller): Promise<void> {
  for (let call = 0; call < PAYMENTS; call++)
    await turnpike.rpc('base-mainnet', { method: 'eth_blockNumber' }, { signal });
}

/** Continues after a refusal, because payments that were signed before the refusal still count. */
async function topUps({ turnpike, signal }: Caller): Promise<void> {
  let refusal: unknown = null;
  for (let payment = 0; payment < PAYMENTS; payment++) {
    await turnpike.topUp(undefined, { signal }).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof TurnpikeError)) throw error;
      refusal = payment === 0 ? error : refusal;
    });
  }
  if (refusal !== null) throw refusal;
}

/** Makes a library call in this process, with a wallet that records its signatures. */
export async function callLibrary(gateway: ScriptedGateway, told: ToldCall): Promise<CallOutcome> {
  const call = LIBRARY_CALLS.find((each) => each.name === told.call) as LibraryCall;
  const scenario = new Scenario(told.lies);
  const { url, close } = gateway.open(scenario);
  const wallet = await (call.onSolana ? solanaRecordingWallet : evmRecordingWallet)(gateway.origin);
  const begun: Extract<TurnpikeEvent, { type: 'top-up-begins' }>[] = [];
  const turnpike = createTurnpike({
    url,
    account: wallet.account,
    budget: { perDayUsd: PER_DAY_USD },
    onEvent: (event) => void (event.type === 'top-up-begins' && begun.push(event)),
  });
  const deadlineMs = patienceMs(told, call.family);
  const faults: string[] = [];
  const ending = await ended(
    call.make({ turnpike, signal: AbortSignal.timeout(deadlineMs), gateway, scenario }),
    deadlineMs,
    faults,
  );
  faults.push(
    ...wallet.faults,
    ...faultsOfMoney(wallet.signed, PER_DAY_USD),
    ...unshown(wallet.signed, begun),
    ...faultsOfPlaintext(scenario),
  );
  close();
  return { faults, isDone: ending === 'done', ending: `${call.name} ${ending}` };
}

async function ended(work: Promise<readonly string[] | void>, deadlineMs: number, faults: string[]): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), deadlineMs + LEAVING_MS)));
  try {
    const found = await Promise.race([work, late]);
    if (found === 'late') faults.push(`it had not ended ${LEAVING_MS} ms after its caller gave up`);
    else faults.push(...(found ?? []));
    return 'done';
  } catch (error) {
    const fault = faultOfError(error);
    if (fault !== null) faults.push(fault);
    return 'refused';
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the error as text if the client caused it; null if the gateway did. */
function faultOfError(error: unknown): string | null {
  if (
    OF_STREAMS.some((kind) => error instanceof kind) ||
    isAbort(error) ||
    (error instanceof Error && error.name === 'TimeoutError')
  )
    return null;
  if (!(error instanceof TurnpikeError))
    return `it threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  if (error.code !== 'UNREACHABLE') return null;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (
      (cause instanceof TypeError || cause instanceof RangeError || cause instanceof SyntaxError) &&
      /Cannot |is not (a|iterable|defined)|undefined|null|Invalid|toFixed/.test(cause.message) &&
      !/fetch failed|terminated|header|content-length|url|URL/i.test(cause.message)
    )
      return `it called a fault of its own ${error.code}: ${cause.message}`;
  }
  return null;
}

/** Returns the members whose types differ from those that the client declares. */
function unlessShaped(value: object, shape: Readonly<Record<string, 'string' | 'number' | 'boolean'>>): string[] {
  return Object.entries(shape).flatMap(([name, type]) => {
    const found = (value as Record<string, unknown>)[name];
    return typeof found === type && (type !== 'number' || Number.isFinite(found))
      ? []
      : [`${name} is ${JSON.stringify(found)?.slice(0, 60) ?? 'absent'}, not a ${type}`];
  });
}

/**
 * Returns payments whose chain, token, receiver or amount was not announced before they were signed. On Solana, the
 * receiver is the owner of the paid account.
 */
function unshown(
  signed: readonly SignedAuthorization[],
  begun: readonly Extract<TurnpikeEvent, { type: 'top-up-begins' }>[],
): string[] {
  return signed.flatMap(({ network, asset, to, value }, index) => {
    const told = begun[index];
    const isTold =
      told !== undefined &&
      (told.payTo === to || network === SOLANA_CHAIN) &&
      told.asset === asset &&
      told.network === network &&
      BigInt(Math.round(told.amountUsd * 1e6)) === value;
    return isTold ? [] : [`signed ${value} units to ${to}, and told of ${JSON.stringify(told)}`];
  });
}

function faultsOfPlaintext({ seen }: Scenario): string[] {
  return seen.some(({ body }) => body.includes(SECRET)) ? ['sent a private question in the clear'] : [];
}

async function privateChat(
  { turnpike, signal, gateway, scenario }: Caller,
  stream: boolean,
): Promise<readonly string[]> {
  scenario.balanceUsd = 5;
  const outcomes: string[] = [];
  const fetch = createPrivateFetch(turnpike, {
    accepted: ['verified', 'simulated'],
    simulatedRoot: gateway.chats.root,
    onSignature: ({ outcome }) => void outcomes.push(outcome),
  });
  const response = await fetch('/api/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, stream, messages: [{ role: 'user', content: SECRET }] }),
    signal,
  });
  if (!response.ok) throw new TurnpikeError('REFUSED', { message: await response.text(), status: response.status });
  const text = stream ? streamedText(await response.text()) : wholeText(await response.text());
  if (text === null) throw new TurnpikeError('ANSWER_BROKEN');
  const isTrue = scenario.truths.includes(text) && outcomes.at(-1) === 'verified';
  return isTrue ? [] : [`handed on ${JSON.stringify(text)} as whole, whose signature was ${String(outcomes.at(-1))}`];
}

/** Returns the text of a complete stream; null for an incomplete one. */
function streamedText(body: string): string | null {
  const events = body
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''));
  if (events.at(-1) !== '[DONE]') return null;
  return events
    .slice(0, -1)
    .map(
      (event) =>
        (JSON.parse(event) as { choices: { delta?: { content?: string } }[] }).choices[0]?.delta?.content ?? '',
    )
    .join('');
}

function wholeText(body: string): string | null {
  return (
    (JSON.parse(body) as { choices?: { message?: { content?: string } }[] }).choices?.[0]?.message?.content ?? null
  );
}
