/**
 * @at next: attestations, encrypted streams and signatures pass Next's own server. Payers and the client's refusals are
 *   the same at each entry.
 * @not postgres: private content is not stored. chat.test.ts has chats of keys and wallets charged on Postgres.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listCharges, type TurnpikeClientOptions } from '@/lib/client';
import { listChatModels } from '@/lib/client/chat-models';
import {
  attestationPolicy,
  type ChatMessage,
  PrivateChatError,
  type PrivateChatEvent,
  PrivateChatSession,
} from '@/lib/client/private-chat';
import { TAMPERINGS } from '@/lib/sandbox/enclave/enclave';
import { evmWallet } from '../payments/paying-wallets';
import { at } from './harness/at';
import { type EnclaveGateway, startEnclaveGateway } from './harness/enclave-upstream';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { Minter } from './harness/minter';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';
import { Staker } from './harness/staker';
import { until } from '@/test/until';

/**
 * The attested and encrypted client of lib/client with a whole gateway: its promises hold, and refused requests never
 * reach the enclave.
 */

const question: ChatMessage[] = [{ role: 'user', content: 'How does staking work?' }];
const textOf = (events: readonly PrivateChatEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('');

function sessionOf(connection: TurnpikeClientOptions, simulatedRoot: string, model = 'e2ee-guide') {
  return new PrivateChatSession({
    connection,
    model,
    encrypted: model === 'e2ee-guide',
    policy: attestationPolicy({ simulatedRoot }),
    accepted: ['simulated'],
  });
}

describe('a private chat over a gateway in the sandbox', () => {
  let gateway: GatewayUnderTest;
  let root = '';
  let sandbox: SandboxDescription;
  let connection: TurnpikeClientOptions;
  beforeAll(async () => {
    const started = await startSandboxGateway();
    ({ gateway, sandbox } = started);
    root = started.sandbox.enclave?.root ?? '';
    const { key } = await gateway.operator.createCaller({ usd: '1' });
    connection = { baseUrl: gateway.url, apiKey: key };
  }, 120_000);
  afterAll(() => gateway?.stop());

  test.each(['e2ee-guide', 'tee-guide'])(
    'with %s is attested, answered, signed, and charged under its request’s id',
    async (model) => {
      const { answer, signature, attestation } = await sessionOf(connection, root, model).ask([
        { role: 'system', content: 'Be brief.' },
        ...question,
      ]);
      expect(attestation).toMatchObject({
        verdict: { conclusion: 'simulated' },
        claim: { verified: true, verdict: 'simulated', provider: 'simulated-enclave' },
      });
      expect(answer.text.length).toBeGreaterThan(100);
      expect(signature).toMatchObject({ outcome: 'verified', signer: attestation.verdict.key?.address });
      const { data } = await listCharges(connection, { limit: 10 });
      const charge = data.find(({ requestId }) => requestId === answer.requestId);
      expect(Number(charge?.amount)).toBeCloseTo(
        ((answer.usage?.promptTokens ?? 0) * 0.15 + (answer.usage?.completionTokens ?? 0) * 0.6) / 1e6,
        8,
      );
    },
  );

  at('fast').test('is all that a key for private calls buys, as encrypted or attested as it demands', async () => {
    const staker = await Staker.funded(gateway, sandbox);
    await staker.stake('stake', 1n);
    const minter = new Minter(gateway);
    const keyFor = async (privacy: string) => (await minter.mint(staker, { allow: { privacy } })).apiKey;
    const [attested, encrypted] = [await keyFor('attested'), await keyFor('encrypted')];
    const account = await minter.accountOf(attested);
    await gateway.operator.run('grants add', '--account', String(account), '--usd', '1');
    const plain = async (key: string, model: string) => {
      const { status } = await fetch(`${gateway.url}/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: question }),
      });
      return status;
    };
    expect([await plain(attested, 'tee-guide'), await plain(attested, 'guide')]).toEqual([200, 403]);
    expect([await plain(encrypted, 'tee-guide'), await plain(encrypted, 'e2ee-guide')]).toEqual([403, 403]);
    const { answer } = await sessionOf({ baseUrl: gateway.url, apiKey: encrypted }, root).ask(question);
    expect(answer.text.length).toBeGreaterThan(100);
  });

  test('with one of several instances is attested, answered piece by piece, and charged what is told in the clear', async () => {
    const session = new PrivateChatSession({
      connection,
      model: 'chutes-e2ee-guide',
      encrypted: true,
      policy: attestationPolicy({ simulatedRoot: root }),
      accepted: ['simulated'],
    });
    const { answer, signature, attestation } = await session.ask(question);
    expect(attestation).toMatchObject({
      encryption: 'ml-kem-768',
      verdict: { conclusion: 'simulated', family: 'chutes' },
      claim: { verified: true, verdict: 'simulated', provider: 'simulated-chutes' },
    });
    expect([answer.text.length > 100, signature.outcome]).toEqual([true, 'sealed-pieces']);
    const { data } = await listCharges(connection, { limit: 10 });
    const charge = data.find(({ requestId }) => requestId === answer.requestId);
    expect(Number(charge?.amount)).toBeCloseTo(
      ((answer.usage?.promptTokens ?? 0) * 0.15 + (answer.usage?.completionTokens ?? 0) * 0.6) / 1e6,
      8,
    );
  });

  at('fast').test('of a wallet is paid from what it prepaid', async () => {
    const wallet = await evmWallet(`${gateway.url}/api/sandbox`);
    await gateway.operator.prepay(wallet.address, '1');
    const { answer, signature } = await sessionOf(
      { baseUrl: gateway.url, signIn: await wallet.signIn(gateway.url) },
      root,
    ).ask(question);
    expect(signature.outcome).toBe('verified');
    expect(Number(answer.balanceRemainingUsd)).toBeLessThan(1);
  });

  at('fast').test('is sent nowhere by a client that knows only Intel’s root', async () => {
    const session = new PrivateChatSession({
      connection,
      model: 'e2ee-guide',
      encrypted: true,
      policy: attestationPolicy(),
      accepted: ['simulated'],
    });
    const charges = gateway.books.count();
    await expect(session.ask(question)).rejects.toThrow('TEE attestation verification failed');
    expect(gateway.books.count()).toBe(charges);
  });
});

describe('a private chat over a gateway before an enclave', () => {
  let before: EnclaveGateway;
  let connection: TurnpikeClientOptions;
  beforeAll(async () => {
    before = await startEnclaveGateway();
    const { key } = await before.gateway.operator.createCaller({ usd: '1' });
    connection = { baseUrl: before.gateway.url, apiKey: key };
    // The gateway itself asks the enclave for its models.
    await listChatModels(connection);
  }, 120_000);
  afterEach(() => {
    before.models.tampering = undefined;
    before.asked.length = 0;
  });
  afterAll(() => before?.stop());
  const completions = () => before.asked.filter((line) => line === 'POST /chat/completions');

  const SENTENCES = {
    'wrong-key': 'TEE attestation verification failed',
    'wrong-nonce': 'Attestation nonce mismatch',
    debug: 'TDX debug mode detected',
  };

  at('fast').test.each(TAMPERINGS)(
    'stops at %s before anything is sent, at its beginning and in its middle',
    async (tampering) => {
      before.models.tampering = tampering;
      const session = sessionOf(connection, before.simulatedRoot);
      const error: unknown = await session.ask(question).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ message: SENTENCES[tampering], attestation: { claim: { verified: false } } });
      expect(error).toBeInstanceOf(PrivateChatError);
      expect(completions()).toEqual([]);
      before.models.tampering = undefined;
      await session.ask(question);
      before.models.tampering = tampering;
      await expect(session.reattest()).rejects.toThrow(SENTENCES[tampering]);
      await expect(session.ask(question)).rejects.toThrow(SENTENCES[tampering]);
      expect(completions()).toHaveLength(1);
    },
  );

  at('fast').test('goes on over a new key of the enclave: attested, and asked once more', async () => {
    const session = sessionOf(connection, before.simulatedRoot);
    const { answer } = await session.ask(question);
    before.enclave.rotateKey();
    const events: PrivateChatEvent[] = [];
    for await (const event of session.send([
      ...question,
      { role: 'assistant', content: answer.text },
      { role: 'user', content: 'How is a top-up paid?' },
    ]))
      events.push(event);
    expect(events.filter(({ type }) => type === 'attested')).toMatchObject([{ because: 'rotation' }]);
    expect(textOf(events)).toContain('USDC on Base');
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      signature: { outcome: 'verified', signer: before.enclave.address },
    });
    expect(completions()).toHaveLength(3);
  });

  test('that is given up is given up at the enclave, too', async () => {
    const abort = new AbortController();
    const run = async () => {
      for await (const { type } of sessionOf(connection, before.simulatedRoot).send(question, { signal: abort.signal }))
        if (type === 'delta') abort.abort();
    };
    await expect(run()).rejects.toMatchObject({ name: 'UnreachableError', aborted: true });
    await until(() => before.left() === 1);
  });
});
