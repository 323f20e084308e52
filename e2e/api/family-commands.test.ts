/**
 * @not next: private-chat.test.ts sends the same requests through Next.
 * @not postgres: attestations are not stored, and chat.test.ts has chats charged on Postgres.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandOutcome, runCommand } from '@/test/customer-command';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import type { Caller } from './harness/operator';
import { startSandboxGateway } from './harness/sandbox-gateway';

/** `turnpike-client chat` and `verify --file` with every family of attested models: hops, signature and exit codes. */

let gateway: GatewayUnderTest;
let caller: Caller;
let folder = '';
beforeAll(async () => {
  ({ gateway } = await startSandboxGateway());
  caller = await gateway.operator.createCaller({ usd: '1' });
  folder = mkdtempSync(join(tmpdir(), 'turnpike-families-'));
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway?.stop();
});

const chat = (model: string, ...args: string[]) =>
  runCommand(['chat', '--model', model, '--export', exportOf(model), ...args, 'How does staking work?'], {
    env: { TURNPIKE_URL: gateway.url, TURNPIKE_API_KEY: caller.key },
  });

const verify = (file: string, ...args: string[]) =>
  runCommand(['verify', '--file', file, '--allow-simulated', ...args]);

const exportOf = (model: string) => join(folder, `${model}.json`);

interface Told {
  signature: string;
  attestation: {
    family: string;
    hops: { kind: string; standing: string }[];
    enclaves: { role: string; verdict: string }[];
  };
}

const ENCRYPTED = 'client own, gateway simulated, provider simulated';
const READ_ALONG = 'client own, gateway claim, provider claim';

/** Family, path, proof of the answer, and enclaves in the report. */
const MODELS: Readonly<Record<string, { family: string; path: string; outcome: string; enclaves: number }>> = {
  'e2ee-guide': {
    family: 'near-ecdsa',
    path: `${ENCRYPTED}, model simulated, gpu claim`,
    outcome: 'verified',
    enclaves: 1,
  },
  'tee-guide': {
    family: 'near-ecdsa',
    path: `${READ_ALONG}, model simulated, gpu claim`,
    outcome: 'verified',
    enclaves: 1,
  },
  'near-cloud-guide': {
    family: 'near-cloud',
    path: `${ENCRYPTED}, router simulated, model simulated, gpu claim`,
    outcome: 'verified',
    enclaves: 2,
  },
  'near-ed25519-guide': {
    family: 'near-ed25519',
    path: `${ENCRYPTED}, model simulated, gpu claim`,
    outcome: 'verified',
    enclaves: 1,
  },
  'near-direct-guide': {
    family: 'near-ed25519',
    path: `${READ_ALONG}, model simulated, gpu claim`,
    outcome: 'missing',
    enclaves: 1,
  },
  'tinfoil-guide': {
    family: 'tinfoil',
    path: `${ENCRYPTED}, router simulated, model claim, gpu claim`,
    outcome: 'sealed',
    enclaves: 1,
  },
  'chutes-e2ee-guide': {
    family: 'chutes',
    path: `${ENCRYPTED}, model simulated, gpu claim`,
    outcome: 'sealed-pieces',
    enclaves: 3,
  },
  'chutes-guide': {
    family: 'chutes',
    path: `${READ_ALONG}, model simulated, gpu claim`,
    outcome: 'missing',
    enclaves: 2,
  },
  'phala-cloud-guide': {
    family: 'phala-cloud',
    path: `${READ_ALONG}, model simulated, gpu claim`,
    outcome: 'missing',
    enclaves: 2,
  },
};

test('no attested model of the sandbox is left out here', async () => {
  const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/models' });
  const { data } = json as {
    data: { id: string; model_spec: { capabilities: { supportsTeeAttestation: boolean } } }[];
  };
  expect(
    data.flatMap(({ id, model_spec }) => (model_spec.capabilities.supportsTeeAttestation ? [id] : [])).sort(),
  ).toEqual(Object.keys(MODELS).sort());
});

describe.each(Object.entries(MODELS))('%s', (model, { family, path, outcome, enclaves }) => {
  const isUnsigned = outcome === 'missing';
  const allowed = ['--allow-simulated', ...(path.startsWith(READ_ALONG) ? ['--allow-unencrypted'] : [])];
  let answered: CommandOutcome;
  // The tests read its export.
  beforeAll(async () => {
    answered = await chat(model, ...allowed, '--json', ...(isUnsigned ? ['--allow-unsigned'] : []));
  });

  test('is verified hop by hop and answers the command, which can verify its export again', async () => {
    const { code, out } = answered;
    const { signature, attestation } = JSON.parse(out) as Told;
    expect({
      code,
      family: attestation.family,
      signature,
      enclaves: attestation.enclaves.length,
    }).toEqual({ code: 0, family, signature: outcome, enclaves });
    expect(attestation.hops.map(({ kind, standing }) => `${kind} ${standing}`).join(', ')).toBe(path);

    const again = await verify(exportOf(model));
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out).toContain(`${model}: SIMULATED, `);
    expect(again.out.match(/^passed {2}The quoting enclave has signed the quote$/gm)).toHaveLength(enclaves);
    const { hops } = JSON.parse((await verify(exportOf(model), '--json')).out) as { hops: Told['attestation']['hops'] };
    expect(hops.map(({ kind, standing }) => `${kind} ${standing}`).join(', ')).toBe(path);
  });

  test('is refused where its report answers another nonce, and a pin of something else is called that', async () => {
    const exported = JSON.parse(readFileSync(exportOf(model), 'utf8')) as { expected: { nonce: string } };
    const file = join(folder, 'another-nonce.json');
    writeFileSync(file, JSON.stringify({ ...exported, expected: { ...exported.expected, nonce: '07'.repeat(32) } }));
    expect(await verify(file)).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /FAILED, .*\((Attestation nonce mismatch|TEE attestation verification failed)/,
      ) as unknown,
    });
    const pins = ['mr-td', 'rtmr0', 'rtmr1', 'rtmr2', 'rtmr3'].flatMap((flag) => [`--${flag}`, '9'.repeat(96)]);
    const { checks } = JSON.parse((await verify(exportOf(model), '--json', ...pins)).out) as {
      checks: { id: string; outcome: string }[];
    };
    expect(checks.find(({ id }) => id === 'workload')).toMatchObject({ outcome: 'failed' });
  });

  test('is sent nothing by whom a simulator is not enough', async () => {
    const charges = gateway.books.count();
    expect(await chat(model, '--allow-unencrypted')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('Nothing was sent.') as unknown,
    });
    expect(gateway.books.count()).toBe(charges);
  });

  if (isUnsigned)
    test('is sent nothing by whom an answer that nobody vouches for is not enough, and the command says what to do', async () => {
      const charges = gateway.books.count();
      const { code, out, err } = await chat(model, ...allowed);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      for (const part of ['The answers of this model could not be verified.', 'Nothing was sent.', '--allow-unsigned'])
        expect(err).toContain(part);
      expect(err).not.toContain('STOPPED');
      expect(gateway.books.count()).toBe(charges);
    });
});

test('the command says of each enclave on the path what was checked, and of an answer without a signature that it has none', async () => {
  const chain = await chat('near-cloud-guide', '--allow-simulated', '--verbose');
  for (const part of [
    '── router · Intel TDX · simulated',
    '── model · Intel TDX · simulated',
    'Who could have read a prompt:',
    'Signed by 0x',
  ])
    expect(chain.err).toContain(part);
  const unsigned = await chat('chutes-guide', '--allow-simulated', '--allow-unencrypted', '--allow-unsigned');
  for (const part of ['The enclave does not sign its answers', 'Not signed: ']) expect(unsigned.err).toContain(part);
  expect(unsigned.code).toBe(0);
  const instances = await chat('chutes-e2ee-guide', '--allow-simulated', '--verbose');
  for (const part of ['never used', 'not the one that would be used', 'Vouched for by its encryption, piece by piece'])
    expect(instances.err).toContain(part);
});
