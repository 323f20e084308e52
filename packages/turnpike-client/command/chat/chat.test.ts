import { createHash, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '@/test/customer-command';
import { altering, withContents } from '@/test/private-chat/in-between';
import { DEMO_KEY, startEnclaveGateway } from '@/test/private-chat/enclave-gateway';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const QUESTION = 'How does staking work?';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'private-chat-'));
const file = (name: string) => path.join(folder, name);
let gateway: Awaited<ReturnType<typeof startEnclaveGateway>>;
beforeAll(async () => {
  gateway = await startEnclaveGateway();
});
afterEach(() => gateway.reset());
afterAll(async () => {
  await gateway.close();
  fs.rmSync(folder, { recursive: true });
});

interface Setting {
  env?: Record<string, string>;
  typed?: readonly string[];
  signal?: AbortSignal;
}

const run = (
  args: readonly string[],
  { env = { TURNPIKE_API_KEY: 'key-of-a-test' }, typed = [], signal }: Setting = {},
) => runCommand(['chat', '--url', gateway.url, ...args], { env, lines: typed, ...(signal && { signal }) });
const verify = (name: string, ...args: string[]) => runCommand(['verify', '--file', file(name), ...args]);

describe('turnpike-client chat', () => {
  it('prints the answer, its verdict, its signature and its cost, and every check if asked', async () => {
    const { err: brief } = await run(['--allow-simulated', QUESTION]);
    expect(brief).toBe(
      `e2ee-guide: SIMULATED, a simulator: no hardware is behind it\nSigned by ${gateway.enclave.address}, the key that was attested\nIt cost 0.000012345 USD.\n`,
    );
    gateway.reset();
    const { code, out, err } = await run(['--allow-simulated', '--verbose', QUESTION]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('daily allocation') });
    for (const part of [
      'has the nonce',
      'SIMULATED',
      'Who could have read a prompt:',
      `Signed by ${gateway.enclave.address}, the key that was attested`,
      'It cost 0.000012345 USD.',
    ])
      expect(err).toContain(part);
    expect(gateway.completions()[0]?.headers.authorization).toBe('Bearer key-of-a-test');
  });

  it('sends nothing to a simulator that was not allowed', async () => {
    expect(await run([QUESTION])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('TEE attestation verification failed'),
    });
    expect(gateway.completions()).toEqual([]);
  });

  it.each([
    ['wrong-key', 'TEE attestation verification failed'],
    ['wrong-nonce', 'Attestation nonce mismatch'],
    ['debug', 'TDX debug mode detected'],
  ] as const)('stops at %s before anything is sent, and keeps the evidence', async (tampering, sentence) => {
    gateway.models.enclave.tampering = tampering;
    const { code, out, err } = await run(['--allow-simulated', '--export', file('bad.json'), QUESTION]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`STOPPED: ${sentence}`);
    expect(gateway.completions()).toEqual([]);
    expect((await verify('bad.json', '--allow-simulated')).code).toBe(1);
  });

  it('stops at what somebody in between has changed', async () => {
    gateway.interpose(altering((stream) => withContents(stream, () => 'Trust me.')));
    expect(await run(['--allow-simulated', QUESTION])).toMatchObject({
      code: 1,
      out: expect.not.stringContaining('Trust me.'),
      err: expect.stringContaining('STOPPED: The reply has plain text'),
    });
  });

  it('takes a root from a file in any form, and the sandbox’s demo key where there is no other', async () => {
    const pem = `-----BEGIN CERTIFICATE-----\n${gateway.simulatedRoot.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
    for (const [name, content] of [
      ['root.pem', pem],
      ['root.der', Buffer.from(gateway.simulatedRoot, 'base64')],
      ['root.txt', `${gateway.simulatedRoot}\n`],
    ] as const) {
      fs.writeFileSync(file(name), content);
      expect((await run(['--simulated-root', file(name), QUESTION], { env: {} })).code, name).toBe(0);
    }
    expect(gateway.completions().map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill(`Bearer ${DEMO_KEY}`),
    );
  });

  it('takes keys of NVIDIA from a file, to check what it says of the GPUs', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    const token = (claims: object) =>
      new SignJWT({ iss: 'https://nras.attestation.nvidia.com', nbf: Math.floor(Date.now() / 1_000) - 10, ...claims })
        .setProtectedHeader({ alg: 'ES384', kid: 'mine' })
        .setExpirationTime('1h')
        .sign(privateKey);
    gateway.interpose(async (answer, { path: asked }) => {
      if (!asked.startsWith('/api/v1/tee/attestation')) return answer;
      const nonce = new URL(asked, gateway.url).searchParams.get('nonce');
      const gpu = await token({
        eat_nonce: nonce,
        hwmodel: 'GH100',
        secboot: true,
        dbgstat: 'disabled',
        measres: 'success',
      });
      const verdict = await token({
        eat_nonce: nonce,
        'x-nvidia-overall-att-result': true,
        submods: { 'GPU-0': ['DIGEST', ['SHA-256', createHash('sha256').update(gpu).digest('hex')]] },
      });
      const payload = JSON.stringify({
        nonce,
        arch: 'HOPPER',
        evidence_list: [{ certificate: 'AAAA', evidence: 'AAAA' }],
      });
      return {
        ...answer,
        body: Buffer.from(
          JSON.stringify({
            ...(JSON.parse(answer.body.toString()) as object),
            nvidia_payload: payload,
            nvidia_verdict: [['JWT', verdict], { 'GPU-0': gpu }],
          }),
        ),
      };
    });
    fs.writeFileSync(
      file('keys.json'),
      JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'mine' }] }),
    );
    const checkOf = async (args: string[]) =>
      (
        JSON.parse((await run(['--allow-simulated', '--json', ...args, QUESTION])).out) as {
          detail: { attestation: { checks: { id: string; outcome: string }[] } };
        }
      ).detail.attestation.checks.find(({ id }) => id === 'gpu')?.outcome;
    expect([await checkOf([]), await checkOf(['--nvidia-keys', file('keys.json')])]).toEqual([
      'not-checkable',
      'passed',
    ]);
    // No GPU signed the simulated GPU evidence, so no verdict on it allows sending.
    expect(gateway.completions()).toEqual([]);
    for (const content of ['{"keys": []}', '{"keys": [{"kty": "RSA"}, null]}', '[]', 'x']) {
      fs.writeFileSync(file('keys.json'), content);
      expect(await run(['--allow-simulated', '--nvidia-keys', file('keys.json'), QUESTION])).toMatchObject({
        code: 2,
        err: expect.stringContaining('is not a JSON Web Key Set with a key on P-384'),
      });
    }
  });

  it('shows what was sent and received, in ciphertext', async () => {
    const { err } = await run(['--allow-simulated', '--show-ciphertext', QUESTION]);
    expect(err).toMatch(
      /SENT, encrypted:\n\{"model":"e2ee-guide","messages":\[\{"role":"user","content":"04[0-9a-f]{184,}"/,
    );
    expect(err).toMatch(/RECEIVED:\ndata: \{/);
    expect(err).not.toContain(QUESTION);
  });

  it('gives all of it as JSON, faults too', async () => {
    const { code, out } = await run(['--allow-simulated', '--json', '--show-ciphertext', QUESTION]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      answer: expect.stringContaining('daily allocation'),
      signature: 'verified',
      signatureCheck: { outcome: 'verified', signer: gateway.enclave.address },
      costUsd: '0.000012345',
      attestation: { conclusion: 'simulated', key: { address: gateway.enclave.address } },
      sent: expect.any(String),
    });
    gateway.models.enclave.tampering = 'debug';
    expect(JSON.parse((await run(['--allow-simulated', '--json', QUESTION])).out)).toMatchObject({
      code: 'ATTESTATION_DEBUG',
      detail: { attestation: { conclusion: 'failed' } },
    });
  });

  it('holds a conversation, attests on demand, and keeps the attestation for verify', async () => {
    const { code, out, err } = await run(
      ['--allow-simulated', '-i', '--system', 'Be brief.', '--max-tokens', '40', '--export', file('good.json')],
      { typed: [QUESTION, '', '/attest', 'How is a top-up paid?', '/quit', 'never asked'] },
    );
    expect(code).toBe(0);
    expect(out).toContain('Stake TPK');
    expect(out).toContain('USDC on Base');
    expect(err.match(/Signed by 0x/g)).toHaveLength(2);
    expect(
      gateway
        .completions()
        .map(({ body }) => JSON.parse(body.toString()) as { max_tokens: number; messages: { role: string }[] }),
    ).toMatchObject(Array(2).fill({ max_tokens: 40, messages: [{ role: 'system' }, { role: 'user' }] }));
    expect((await verify('good.json', '--allow-simulated')).code).toBe(0);
  });

  it('asks a model that takes nothing encrypted only if that is allowed, and says who can read', async () => {
    expect(await run(['--allow-simulated', '--model', 'tee-guide', QUESTION])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--allow-unencrypted'),
    });
    expect(gateway.completions()).toEqual([]);
    const { code, err } = await run(['--allow-simulated', '--allow-unencrypted', '--model', 'tee-guide', QUESTION]);
    expect(code).toBe(0);
    for (const part of ['the gateway can read questions and answers', 'Signed by 0x']) expect(err).toContain(part);
  });

  it('says that the key has changed and was attested after the answer, and is 1', async () => {
    let asked = 0;
    gateway.interpose((answer, { path: asking }) => {
      if (asking.startsWith('/api/v1/tee/attestation') && ++asked === 1) gateway.enclave.rotateKey();
      return answer;
    });
    const late = ['--allow-simulated', '--allow-unencrypted', '--model', 'tee-guide', QUESTION];
    const { code, err } = await run(late);
    expect(code).toBe(1);
    for (const part of [
      'The enclave has ANOTHER KEY than before',
      'Signed by a key that was attested only after the answer',
      'The new key was attested only after the answer.',
    ])
      expect(err).toContain(part);
    expect(err).not.toContain('the key that was attested\n');
    asked = 0;
    const json = await run([...late, '--json']);
    expect([json.code, JSON.parse(json.out)]).toEqual([1, expect.objectContaining({ signature: 'attested-after' })]);
  });

  it.each([
    [[], /Give a question, or --interactive/],
    [['a', 'b'], /in quotation marks/],
    [[' '], /Give a question/],
    [['--url', 'x', 'q'], /not an http or https URL/],
    [['--max-tokens', '0', 'q'], /--max-tokens is "0"/],
    [['--json', '-i'], /--json works only with a single question/],
    [['-', '-i'], /standard input is the conversation/],
    [['--compose-hash', 'x', 'q'], /--compose-hash must be 64 hexadecimal characters/],
    [['--accept-tcb', 'Revoked', 'q'], /--accept-tcb is "Revoked"; it must be one of UpToDate/],
    [['--what', 'q'], /Unknown option/],
    [['--simulated-root', file('none'), 'q'], /cannot be read/],
    [['--nvidia-keys', file('none'), 'q'], /cannot be read/],
    [['--allow-simulated', '--export', file('no/such/folder'), 'q'], /cannot be written/],
  ])('is used wrongly with %j, and sends nothing', async (args, sentence) => {
    const { code, out, err } = await run(args);
    expect([code, out + err]).toEqual([2, expect.stringMatching(sentence)]);
    expect(gateway.completions()).toEqual([]);
  });

  it('sends nothing to a model that there is not, or that runs in no enclave', async () => {
    expect(await run(['--model', 'none', 'q'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('no model called "none"'),
    });
    expect(await run(['--model', 'guide', '--allow-unencrypted', 'q'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('The model guide does not run in an enclave.'),
    });
    fs.writeFileSync(file('other.txt'), 'not a certificate');
    expect((await run(['--simulated-root', file('other.txt'), 'q'])).code).toBe(2);
    expect((await run(['q'], { env: {} })).err).toContain('TURNPIKE_API_KEY');
    expect(gateway.completions()).toEqual([]);
  });

  it('says where the gateway does not answer, or what it refused', async () => {
    expect(await run(['--url', 'http://127.0.0.1:1', QUESTION])).toMatchObject({
      code: 3,
      err: expect.stringContaining('does not answer'),
    });
    gateway.interpose((answer, { path: asked }) =>
      asked === '/api/v1/chat/completions'
        ? {
            ...answer,
            status: 402,
            headers: { 'content-type': 'application/json' },
            body: Buffer.from('{"error":"Too little.","code":"INSUFFICIENT_BALANCE"}'),
          }
        : answer,
    );
    expect(await run(['--allow-simulated', QUESTION])).toMatchObject({
      code: 4,
      err: expect.stringContaining('Too little.'),
    });
  });

  it('takes the base URL of OpenAI’s clients, and says where another server answers than a gateway', async () => {
    for (const end of ['/api/v1', '/api/v1/'])
      expect(
        (await run(['--url', gateway.url.replace(/\/$/, '') + end, '--allow-simulated', QUESTION])).code,
        end,
      ).toBe(0);
    const other = http.createServer(
      (_, response) => void response.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const { code, err } = await run(['--url', url, '--allow-simulated', QUESTION]);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('this gateway has no simulator') });
    } finally {
      other.close();
    }
  });

  it('ends with 130 where it was cancelled', async () => {
    const abort = new AbortController();
    gateway.interpose((answer, { path: asked }) => {
      if (asked === '/api/v1/chat/completions') abort.abort();
      return answer;
    });
    expect((await run(['--allow-simulated', QUESTION], { signal: abort.signal })).code).toBe(130);
  });
});
