import { base58 } from '@scure/base';
import { generateKeyPairSync, sign } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ERRORS, isApiError } from '@/lib/protocol/errors';
import { buildSignIn, encodeSignInPayload, type SignInRequest } from '@/lib/protocol/sign-in/build-sign-in';
import type { Config } from '../config/load';
import { configSchema } from '../config/schema';
import { Secret } from '../config/secret';
import { chainRequest } from '../upstreams/nodes/network-client';
import { RpcNetworks } from '../upstreams/nodes/networks';
import { refusingUrl, resultOf, type ScriptedNode, scriptedNode } from '@/test/scripted-node';
import { ContractChecks } from './contract-checks';
import { signInRules } from './sign-in-rules';
import { SignInVerifier } from './sign-in-verifier';
import { PersonalSignatures } from './verify-signature';

const ORIGIN = 'https://gate.example';
const NOW = Date.UTC(2026, 0, 31, 12);
const MINUTE = 60_000;
const account = privateKeyToAccount('0x00000000000000000000000000000000000000000000000000000000000a11ce');
const contract = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';

const HERE = '192.0.2.1';

/** Returns a verifier and its clock. It asks the chain at this URL. */
function verifier(chainUrl?: string, { perMinute = 1_000, customers = [] as string[] } = {}) {
  const { rpc } = configSchema.parse({ rpc: { healthChecks: { intervalMs: 0 }, retryShare: 0 } });
  const networks: Config['networks'] =
    chainUrl === undefined
      ? {}
      : { 'base-mainnet': { upstreams: [{ url: new Secret(chainUrl), headers: {} }], chainIdentity: false } };
  const chains = new RpcNetworks({ rpc, networks });
  onTestFinished(() => chains.close());
  const clock = { now: NOW };
  const now = () => clock.now;
  const checks = new ContractChecks({
    perMinute,
    hasAccount: (wallet) => Promise.resolve(customers.includes(wallet)),
    now,
  });
  const made = new SignInVerifier(
    signInRules({ publicUrls: [ORIGIN], port: 3000, chainIds: [] }, ORIGIN),
    new PersonalSignatures((chainId) => chainRequest(chains, chainId), checks),
    now,
  );
  const verify = async (header: string, clientIp = HERE) => made.verify(header, { clientIp });
  const isKnown = (header: string) => {
    const verified = made.verify(header, { clientIp: HERE });
    if (typeof verified === 'string') return true;
    verified.catch(() => undefined);
    return false;
  };
  return { clock, verify, isKnown };
}

async function evmHeader(request: Partial<SignInRequest> = {}, signer = account): Promise<string> {
  const unsigned = buildSignIn({
    address: account.address,
    uri: `${ORIGIN}/api/v1/crypto/rpc/base-mainnet`,
    now: NOW,
    ...request,
  });
  return unsigned.header(await signer.signMessage({ message: unsigned.text }));
}

const contractHeader = () => evmHeader({ address: contract });

const answering = (result: string): Promise<ScriptedNode> =>
  scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, result));

async function refusal(verified: Promise<unknown>) {
  const error: unknown = await verified.then(
    () => Promise.reject(new Error('Verified.')),
    (reason: unknown) => reason,
  );
  if (!isApiError(error)) throw error;
  return { status: ERRORS[error.code].status, code: error.code, sentence: error.message, headers: error.headers };
}

describe('a wallet is who its signature says', () => {
  it('an EVM wallet, in lower case', async () => {
    expect(await verifier().verify(await evmHeader())).toBe(account.address.toLowerCase());
  });

  it('a Solana wallet, in both forms of payload and both of signature', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const address = base58.encode(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
    const unsigned = buildSignIn({ address, uri: ORIGIN, now: NOW });
    const signature = sign(null, Buffer.from(unsigned.text), privateKey);
    const { verify } = verifier();
    for (const header of [
      unsigned.header(base58.encode(signature)),
      unsigned.header(signature.toString('base64')),
      unsigned.fieldHeader(base58.encode(signature)),
    ])
      expect(await verify(header)).toBe(address);
  });

  it('the x402 form of an EVM wallet', async () => {
    const unsigned = buildSignIn({ address: account.address, uri: ORIGIN, now: NOW });
    expect(await verifier().verify(unsigned.fieldHeader(await account.signMessage({ message: unsigned.text })))).toBe(
      account.address.toLowerCase(),
    );
  });

  it('not who it claims: forged, of another message, Solana under EVM, EVM under Solana', async () => {
    const { verify } = verifier();
    const other = privateKeyToAccount('0x0000000000000000000000000000000000000000000000000000000000000b0b');
    expect(await refusal(verify(await evmHeader({}, other)))).toMatchObject({
      status: 401,
      code: 'SIGN_IN_BAD_SIGNATURE',
    });
    const unsigned = buildSignIn({ address: account.address, uri: ORIGIN, now: NOW });
    expect(
      await refusal(verify(unsigned.header(await account.signMessage({ message: `${unsigned.text} ` })))),
    ).toMatchObject({ code: 'SIGN_IN_BAD_SIGNATURE' });
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const solanaSignature = base58.encode(sign(null, Buffer.from(unsigned.text), privateKey));
    expect(await refusal(verify(unsigned.header(solanaSignature)))).toMatchObject({
      status: 401,
      code: 'SIGN_IN_BAD_SIGNATURE',
    });
    const solana = buildSignIn({
      address: base58.encode(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)),
      uri: ORIGIN,
      now: NOW,
    });
    expect(await refusal(verify(solana.header(await account.signMessage({ message: solana.text }))))).toMatchObject({
      status: 401,
      code: 'SIGN_IN_BAD_SIGNATURE',
    });
  });

  it('each check that fails has a code and a sentence', async () => {
    const { verify, clock } = verifier();
    expect(await refusal(verify('nonsense!'))).toMatchObject({
      status: 401,
      code: 'SIGN_IN_MALFORMED',
      sentence: expect.stringContaining('Base64') as string,
    });
    expect(await refusal(verify(await evmHeader({ uri: 'https://evil.example' })))).toMatchObject({
      status: 401,
      code: 'SIGN_IN_WRONG_DOMAIN',
    });
    expect(await refusal(verify(await evmHeader({ chainId: 1 })))).toMatchObject({
      status: 401,
      code: 'SIGN_IN_WRONG_CHAIN',
    });
    expect(await refusal(verify(await evmHeader({ now: NOW + 2 * MINUTE })))).toMatchObject({
      status: 401,
      code: 'SIGN_IN_NOT_YET_VALID',
    });
    const header = await evmHeader();
    clock.now += 10 * MINUTE;
    expect(await refusal(verify(header))).toMatchObject({ status: 401, code: 'SIGN_IN_EXPIRED' });
  });
});

describe('a header that held is remembered', () => {
  it('until it expires, to the millisecond', async () => {
    const { verify, clock, isKnown } = verifier();
    const header = await evmHeader({ lifetimeMs: MINUTE });
    await verify(header);
    expect(isKnown(header)).toBe(true);
    clock.now += MINUTE - 1;
    expect(await verify(header)).toBe(account.address.toLowerCase());
    clock.now += 1;
    expect(await refusal(verify(header))).toMatchObject({ code: 'SIGN_IN_EXPIRED' });
  });

  it('as it is, to the last character', async () => {
    const { verify } = verifier();
    const header = await evmHeader();
    await verify(header);
    const payload = JSON.parse(Buffer.from(header, 'base64').toString()) as { signature: string; message: string };
    const changed = payload.signature.replace(/^0x(.)/, (_all, digit: string) => `0x${digit === '1' ? '2' : '1'}`);
    expect(await refusal(verify(encodeSignInPayload({ ...payload, signature: changed })))).toMatchObject({
      code: 'SIGN_IN_BAD_SIGNATURE',
    });
    expect(await refusal(verify(header.slice(0, -5)))).toMatchObject({ status: 401 });
  });

  it('and one that did not hold is looked at again', async () => {
    const { verify, clock } = verifier();
    const early = await evmHeader({ now: NOW + 2 * MINUTE });
    expect(await refusal(verify(early))).toMatchObject({ code: 'SIGN_IN_NOT_YET_VALID' });
    clock.now += MINUTE;
    expect(await verify(early)).toBe(account.address.toLowerCase());
  });
});

describe('a wallet that is a contract', () => {
  it('is asked of its chain, once for many calls at a time, and again after a minute', async () => {
    const node = await answering('"0x01"');
    const { verify, clock } = verifier(node.url);
    const header = await contractHeader();
    await Promise.all(Array.from({ length: 20 }, () => verify(header)));
    expect(node.count('eth_call')).toBe(1);
    clock.now += MINUTE - 1;
    expect(await verify(header)).toBe(contract.toLowerCase());
    expect(node.count('eth_call')).toBe(1);
    clock.now += 1;
    node.script = ({ items: [item] }) => resultOf(item as { id: number }, '"0x00"');
    expect(await refusal(verify(header))).toMatchObject({ status: 401, code: 'SIGN_IN_BAD_SIGNATURE' });
  });

  it('whose chain does not answer is 503, never 401, and nothing of it is kept', async () => {
    const node = await answering('"0x01"');
    const { verify } = verifier(node.url);
    const header = await contractHeader();
    node.script = (_asked, response) => void response.destroy();
    expect(await refusal(verify(header))).toMatchObject({
      status: 503,
      code: 'SIGN_IN_UNVERIFIABLE',
      headers: { 'retry-after': '2' },
    });
    node.script = ({ items: [item] }) => resultOf(item as { id: number }, '"0x01"');
    expect(await verify(header)).toBe(contract.toLowerCase());
    const closed = verifier(await refusingUrl());
    expect(await refusal(closed.verify(header))).toMatchObject({ status: 503 });
    expect(await closed.verify(await evmHeader())).toBe(account.address.toLowerCase());
  });
});
