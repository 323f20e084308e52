import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { hexToBytes } from '@noble/hashes/utils.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '@/lib/protocol/canonical-json';
import type { Receipt } from '@/lib/protocol/receipts/receipt';
import { judgeReceipt, type ReceiptEvidence, type ReceiptHopName } from './judge-receipt';

const NOW = Date.UTC(2026, 10, 29, 12);
const ORIGIN = 'https://gateway.example';
const REQUEST = Buffer.from('{"model":"sealed","messages":[]}');
const ANSWER = Buffer.from('{"id":"chatcmpl-1","choices":[]}');
const MEASURED = { kind: 'intel-tdx', mrTd: 'ab'.repeat(48) };
const REPORT = { signing_address: '', nonce: 'ab', verdict: 'verified', enclaves: [{ measurements: MEASURED }] };
const BLOCK_ANSWER = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"blockNumber":"0x10","blockHash":"0xab"}}');

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const b64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64url');

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  return { privateKey, jwk: { ...jwk, kid: createHash('sha256').update(canonicalJson(jwk)).digest('base64url') } };
}

const GATEWAY = keyPair();
const OTHER = keyPair();
const ENCLAVE = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const STRANGER = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const HASHES = `${sha256(REQUEST)}:${sha256(ANSWER)}`;
const report = { ...REPORT, signing_address: ENCLAVE.address };
const named = (bindsAnswer = true) => ({
  bindsAnswer,
  sha256: sha256(canonicalJson(report)),
  url: `${ORIGIN}/api/v1/tee/reports/${sha256(canonicalJson(report))}`,
  fetchedAt: NOW / 1_000 - 90,
  family: 'near',
  verdict: 'verified' as const,
  measurements: [MEASURED],
});

async function chatReceipt(): Promise<Receipt> {
  return {
    version: 1,
    network: 'eip155:8453',
    resourceUrl: `${ORIGIN}/api/v1/chat/completions`,
    payer: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    issuedAt: NOW / 1_000 - 60,
    transaction: `0x${'cd'.repeat(32)}`,
    issuer: ORIGIN,
    requestId: '0f4b7c1de2a94f0b8c6d5e3a12b49f70',
    offer: {
      maximumNanoUsd: 5_000,
      payment: { scheme: 'exact', network: 'eip155:8453', asset: '0xaa', payTo: '0xbb', amount: '10000' },
    },
    charge: { nanoUsd: 4_000, resource: 'chat/sealed', detail: '2 + 2 tokens', units: 4, isReplay: false },
    request: { method: 'POST', sha256: sha256(REQUEST), bytes: REQUEST.length },
    answer: {
      status: 200,
      contentType: 'application/json',
      sha256: sha256(ANSWER),
      bytes: ANSWER.length,
      isComplete: true,
    },
    model: 'sealed',
    enclave: {
      signature: {
        text: HASHES,
        signature: await ENCLAVE.signMessage({ message: HASHES }),
        signingAddress: ENCLAVE.address,
        algorithm: 'ecdsa',
      },
      report: named(),
    },
  };
}

function rpcReceipt(): Receipt {
  return {
    version: 1,
    network: 'turnpike:ledger',
    resourceUrl: `${ORIGIN}/api/v1/crypto/rpc/ethereum-mainnet`,
    payer: `key:${'ef'.repeat(32)}`,
    issuedAt: NOW / 1_000 - 60,
    issuer: ORIGIN,
    requestId: '0f4b7c1de2a94f0b8c6d5e3a12b49f70',
    offer: { maximumNanoUsd: 14_000, prices: { creditNanoUsd: 700, maximumCredits: 20 } },
    charge: {
      nanoUsd: 14_000,
      resource: 'rpc/ethereum-mainnet',
      detail: 'eth_getTransactionReceipt',
      units: 20,
      isReplay: false,
    },
    request: { method: 'POST', sha256: sha256(REQUEST), bytes: REQUEST.length },
    answer: {
      status: 200,
      contentType: 'application/json',
      sha256: sha256(BLOCK_ANSWER),
      bytes: BLOCK_ANSWER.length,
      isComplete: true,
    },
    rpc: { network: 'ethereum-mainnet', block: { number: '0x10', hash: '0xab' }, agreement: { agreeing: 2, asked: 3 } },
  };
}

const CALL = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x1"},{"blockNumber":"0x0C"}]}');
const BALANCE = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"0x0"}');
const BATCH = Buffer.from(
  '[{"id":1,"method":"eth_blockNumber"},{"id":2,"method":"eth_getBalance","params":["0x1","safe"]},{"id":3,"method":"eth_chainId"}]',
);
const BATCH_ANSWER = Buffer.from('[{"id":1,"result":"0x10"},{"id":2,"result":"0x0"},{"id":3,"result":"0x1"}]');
type RpcPart = NonNullable<Receipt['rpc']>;

/** Returns a receipt, with its evidence, for other bytes of a call of a chain. */
function exchanged(
  detail: string,
  request: Buffer,
  answer: Buffer,
  part: Omit<RpcPart, 'network'>,
): [string, Partial<ReceiptEvidence>] {
  const receipt = rpcReceipt();
  receipt.charge.detail = detail;
  Object.assign(receipt.request, { sha256: sha256(request), bytes: request.length });
  Object.assign(receipt.answer, { sha256: sha256(answer), bytes: answer.length });
  receipt.rpc = { network: 'ethereum-mainnet', ...part };
  return [jws(receipt), { request, answer }];
}
const call = (part: Omit<RpcPart, 'network'>) => exchanged('eth_call', CALL, BALANCE, part);
const batch = (items: NonNullable<RpcPart['items']>) => exchanged('batch of 3', BATCH, BATCH_ANSWER, { items });
const BATCH_BLOCKS = [{ block: { number: '0x10' } }, { askedBlock: { tag: 'safe' } }, {}];

function jws(
  payload: unknown,
  header: object = {},
  key: KeyObject = GATEWAY.privateKey,
  text = canonicalJson(payload),
): string {
  const head = canonicalJson({ alg: 'EdDSA', kid: GATEWAY.jwk.kid, typ: 'turnpike-receipt+jws', ...header });
  const input = `${b64(head)}.${b64(text)}`;
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}

const judged = (receipt: string, more: Partial<ReceiptEvidence> = {}) =>
  judgeReceipt({ receipt, keys: { keys: [OTHER.jwk, GATEWAY.jwk] }, nowMs: NOW, ...more });
const outcomes = ({ hops }: ReturnType<typeof judgeReceipt>) =>
  Object.fromEntries(hops.map(({ hop, outcome }) => [hop, outcome]));
const files = { request: REQUEST, answer: ANSWER, report: Buffer.from(JSON.stringify(report)) };

describe('a genuine receipt', () => {
  it('of a chat in an enclave proves bytes, signature of the enclave and report, and leaves the payment to its chain', async () => {
    const verdict = judged(jws(await chatReceipt()), { ...files, issuer: `${ORIGIN}/` });
    expect(verdict.isRefused).toBe(false);
    expect(outcomes(verdict)).toEqual({
      form: 'proven',
      signature: 'proven',
      request: 'proven',
      answer: 'proven',
      price: 'stated',
      payment: 'unchecked',
      enclave: 'proven',
      report: 'proven',
    });
  });

  it('without files says what it cannot prove', async () => {
    const verdict = judged(JSON.stringify({ format: 'jws', signature: jws(await chatReceipt()) }));
    expect(outcomes(verdict)).toMatchObject({
      request: 'unchecked',
      answer: 'unchecked',
      report: 'unchecked',
      enclave: 'proven',
    });
  });

  it('of an enclave that signs nothing states the enclave, proves its report, and says that nothing binds them', async () => {
    const unsigned = { ...(await chatReceipt()), enclave: { report: named(false) } };
    const verdict = judged(jws(unsigned), files);
    expect(outcomes(verdict)).toMatchObject({ enclave: 'stated', report: 'proven' });
    const [text] = verdict.hops.filter(({ hop }) => hop === 'report').map((each) => each.text);
    expect(text).toMatch(/verdict verified\. It measured mrTd abababababababab…\. No signature binds the answer to it/);
    const [without] = judged(jws(unsigned)).hops.filter(({ hop }) => hop === 'report');
    expect(without).toMatchObject({ outcome: 'unchecked', text: expect.stringContaining(named().url) });
  });

  it('of a call of a chain states nodes and ledger, and no more', () => {
    const verdict = judged(jws(rpcReceipt()), { request: REQUEST, answer: BLOCK_ANSWER });
    expect(verdict.isRefused).toBe(false);
    expect(outcomes(verdict)).toMatchObject({ answer: 'proven', price: 'stated', payment: 'stated', chain: 'stated' });
    expect(verdict.hops.at(-1)?.text).toContain('2 of 3 nodes');
  });

  it.each<[string, [string, Partial<ReceiptEvidence>], string]>([
    [
      'the block it asked for',
      call({ askedBlock: { number: '0xc' } }),
      'asked for block 0xc. The answer contains none.',
    ],
    ['the blocks of a batch', batch(BATCH_BLOCKS), '1: answer of block 0x10, 2: asked for block safe.'],
    ['no block', call({}), 'the gateway says.'],
  ])('of a call of a chain says %s, with and without files', (_what, [receipt, evidence], says) => {
    for (const given of [evidence, { answer: evidence.answer }, { request: evidence.request }, {}]) {
      const verdict = judged(receipt, given);
      expect(verdict.isRefused).toBe(false);
      expect(verdict.hops.at(-1)?.text).toContain(says);
    }
  });
});

/** Each case makes an invalid receipt, and states the refused hop and words of the reason. */
type Altered = [
  name: string,
  hop: ReceiptHopName,
  why: RegExp,
  make: () => Promise<[string, Partial<ReceiptEvidence>?]> | [string, Partial<ReceiptEvidence>?],
];

const chat = async (
  change: (receipt: Receipt) => unknown,
  evidence: Partial<ReceiptEvidence> = files,
): Promise<[string, Partial<ReceiptEvidence>]> => {
  const receipt = await chatReceipt();
  return [jws(change(receipt) ?? receipt), evidence];
};
const rpc = (change: (receipt: Receipt) => unknown): [string, Partial<ReceiptEvidence>] => {
  const receipt = rpcReceipt();
  change(receipt);
  return [jws(receipt), { request: REQUEST, answer: BLOCK_ANSWER }];
};
const signed = async (text: string, by = ENCLAVE) => ({
  text,
  signature: await by.signMessage({ message: text }),
  signingAddress: ENCLAVE.address,
  algorithm: 'ecdsa' as const,
});
const withSignature = async (signature: NonNullable<Receipt['enclave']>['signature']) =>
  chat((receipt) => void (receipt.enclave = { ...receipt.enclave, signature }));

/** Returns the signature with a high s. Anyone can compute it from the original. */
function mirrored(signature: string): string {
  const [r, s] = [signature.slice(2, 66), BigInt(`0x${signature.slice(66, 130)}`)];
  const high = (secp256k1.Point.CURVE().n - s).toString(16).padStart(64, '0');
  return `0x${r}${high}${signature.slice(130) === '1b' ? '1c' : '1b'}`;
}

const ALTERED: readonly Altered[] = [
  ['is empty', 'form', /compact form/, () => ['']],
  ['has two parts', 'form', /compact form/, () => [jws(rpcReceipt()).split('.').slice(0, 2).join('.')]],
  ['is padded', 'form', /compact form/, () => [`${jws(rpcReceipt())}==`]],
  ['is too long', 'form', /too long/, () => ['a'.repeat(70_000)]],
  ['names no algorithm', 'form', /EdDSA/, () => [jws(rpcReceipt(), { alg: 'none' })]],
  ['names a symmetric algorithm', 'form', /EdDSA/, () => [jws(rpcReceipt(), { alg: 'HS256' })]],
  ['is of another type', 'form', /type/, () => [jws(rpcReceipt(), { typ: 'JWT' })]],
  ['brings its own key', 'form', /exactly the members/, () => [jws(rpcReceipt(), { jwk: OTHER.jwk })]],
  [
    'has a repeated member',
    'form',
    /canonical/,
    () => [jws(null, {}, GATEWAY.privateKey, canonicalJson(rpcReceipt()).replace('{', '{"version":1,'))],
  ],
  [
    'is spelled with blanks',
    'form',
    /canonical/,
    () => [jws(null, {}, GATEWAY.privateKey, JSON.stringify(rpcReceipt(), null, 1))],
  ],
  ['is of version 2', 'form', /version 1/, () => rpc((receipt) => Object.assign(receipt, { version: 2 }))],
  ['has a further member', 'form', /version 1/, () => rpc((receipt) => Object.assign(receipt, { discount: 1 }))],
  [
    'is of a time that no date has',
    'form',
    /version 1/,
    () => rpc((receipt) => (receipt.issuedAt = 8_640_000_000_001)),
  ],
  [
    'has a report of a time that no date has',
    'form',
    /version 1/,
    () => chat(({ enclave }) => void Object.assign(enclave?.report ?? {}, { fetchedAt: 8_640_000_000_001 })),
  ],
  ['has a negative charge', 'form', /version 1/, () => rpc(({ charge }) => (charge.nanoUsd = -1))],
  [
    'names a resource elsewhere',
    'form',
    /origin/,
    () => rpc((receipt) => (receipt.resourceUrl = 'https://other.example/api')),
  ],
  [
    'is by another gateway than expected',
    'form',
    /not by/,
    () => [jws(rpcReceipt()), { issuer: 'https://other.example' }],
  ],
  ['names an unknown key', 'signature', /not in the list/, () => [jws(rpcReceipt(), { kid: 'unknown' })]],
  ['is checked with no list of keys', 'signature', /not in the list/, () => [jws(rpcReceipt()), { keys: null }]],
  ['is signed by another key', 'signature', /altered/, () => [jws(rpcReceipt(), {}, OTHER.privateKey)]],
  [
    'has another charge under the old signature',
    'signature',
    /altered/,
    () => {
      const [head, , proof] = jws(rpcReceipt()).split('.');
      const receipt = rpcReceipt();
      receipt.charge.nanoUsd = 7_000;
      return [[head, b64(canonicalJson(receipt)), proof].join('.')];
    },
  ],
  [
    'has a signature of another receipt',
    'signature',
    /altered/,
    async () => {
      const [head, body] = jws(rpcReceipt()).split('.');
      return [[head, body, jws(await chatReceipt()).split('.')[2]].join('.')];
    },
  ],
  ['is from the future', 'signature', /future/, () => rpc((receipt) => (receipt.issuedAt = NOW / 1_000 + 3_600))],
  [
    'is shown with another request',
    'request',
    /not the request/,
    () => chat(() => null, { request: Buffer.from('{}') }),
  ],
  ['is shown with another answer', 'answer', /not the answer/, () => chat(() => null, { answer: ANSWER.subarray(1) })],
  [
    'has another length of the answer',
    'answer',
    /not the answer/,
    () => chat(({ answer }) => void (answer.bytes += 1)),
  ],
  [
    'charges more than was offered',
    'price',
    /above the offered/,
    () => chat(({ charge }) => void (charge.nanoUsd = 5_001)),
  ],
  ['charges another price of a credit', 'price', /times the price/, () => rpc(({ charge }) => (charge.units = 19))],
  ['charges a repeated answer', 'price', /repeated answer/, () => rpc(({ charge }) => (charge.isReplay = true))],
  [
    'offers another maximum than its prices',
    'price',
    /maximum is not/,
    () => rpc(({ offer }) => (offer.maximumNanoUsd = 15_000)),
  ],
  ['names a transaction for a balance', 'payment', /no payment/, () => rpc((receipt) => (receipt.transaction = '0x1'))],
  ['names no terms of its payment', 'payment', /missing/, () => chat(({ offer }) => void delete offer.payment)],
  [
    'names terms of another network',
    'payment',
    /different networks/,
    () => chat((receipt) => void (receipt.network = 'eip155:1')),
  ],
  [
    'is charged for another network',
    'chain',
    /another network/,
    () => rpc(({ charge }) => (charge.resource = 'rpc/base-mainnet')),
  ],
  [
    'names more agreeing nodes than were asked',
    'chain',
    /More nodes/,
    () => rpc(({ rpc: of }) => Object.assign(of ?? {}, { agreement: { agreeing: 4, asked: 3 } })),
  ],
  [
    'names another block than the answer',
    'chain',
    /different blocks/,
    () => rpc(({ rpc: of }) => Object.assign(of ?? {}, { block: { number: '0x11' } })),
  ],
  [
    'names no block although the answer does',
    'chain',
    /different blocks/,
    () => rpc(({ rpc: of }) => void delete of?.block),
  ],
  ...[{ number: '0xd' }, { hash: '0xc0' }, { tag: 'latest' }].map((askedBlock): Altered => [
    `says that the request asked for another block, ${JSON.stringify(askedBlock)}`,
    'chain',
    /request does not refer to/,
    () => call({ askedBlock }),
  ]),
  [
    'says that a too deep request asked for its block',
    'chain',
    /request does not refer to/,
    () =>
      exchanged('eth_call', Buffer.from(`{"params":${'['.repeat(9_000)}12${']'.repeat(9_000)}}`), BALANCE, {
        askedBlock: { number: '0xc' },
      }),
  ],
  [
    'names another block of an item than the answer',
    'chain',
    /different blocks/,
    () => batch([{ block: { number: '0x11' } }, {}, {}]),
  ],
  ['leaves out the block of an item', 'chain', /different blocks/, () => batch([{}, {}, {}])],
  [
    'says that another item asked for a block',
    'chain',
    /request does not refer to/,
    () => batch([{ block: { number: '0x10' } }, {}, { askedBlock: { tag: 'safe' } }]),
  ],
  ['has another number of items', 'chain', /numbers of items/, () => batch(BATCH_BLOCKS.slice(0, 2))],
  ['has too many items', 'form', /version 1/, () => batch(Array.from({ length: 101 }, () => ({})))],
  [
    'has a signature of the enclave over another answer',
    'enclave',
    /another response/,
    async () => withSignature(await signed(`${sha256(REQUEST)}:${sha256('x')}`)),
  ],
  [
    'has hashes of a model that is not named',
    'enclave',
    /another request or another/,
    async () => withSignature(await signed(`other:${HASHES}`)),
  ],
  [
    'has a signature by another enclave',
    'enclave',
    /attested key/,
    async () => withSignature(await signed(HASHES, STRANGER)),
  ],
  [
    'has a mirrored signature of the enclave',
    'enclave',
    /normalised/,
    async () => {
      const good = await signed(HASHES);
      return withSignature({ ...good, signature: mirrored(good.signature) });
    },
  ],
  [
    'claims an ed25519 key for the signature',
    'enclave',
    /not an ed25519 key/,
    async () => withSignature({ ...(await signed(HASHES)), algorithm: 'ed25519' }),
  ],
  [
    'is shown with a report of another key',
    'report',
    /another signing key/,
    () => chat(() => null, { report: Buffer.from('{"signing_address":"0x1"}') }),
  ],
  [
    'is shown with another report of its key',
    'report',
    /not the report/,
    () => chat(() => null, { report: Buffer.from(JSON.stringify({ ...report, nonce: 'cd' })) }),
  ],
  [
    'of an unsigned answer is shown with another report',
    'report',
    /not the report/,
    () => chat((receipt) => void (receipt.enclave = { report: { ...named(false), sha256: 'ab'.repeat(32) } })),
  ],
  [
    'states other measurements than its report',
    'report',
    /other measurements/,
    () => chat(({ enclave }) => void Object.assign(enclave?.report ?? {}, { measurements: [] })),
  ],
  [
    'states a better verdict than its report',
    'report',
    /another verdict/,
    () => chat(({ enclave }) => void Object.assign(enclave?.report ?? {}, { verdict: 'simulated' })),
  ],
  [
    'claims that a report binds an unsigned answer',
    'report',
    /wrong about whether/,
    () => chat((receipt) => void (receipt.enclave = { report: named() })),
  ],
  [
    'names a report elsewhere',
    'form',
    /origin of the issuer/,
    () => chat(({ enclave }) => void Object.assign(enclave?.report ?? {}, { url: 'https://other.example/r' })),
  ],
];

describe('an altered receipt is refused, at its hop and for its reason', () => {
  it.each(ALTERED)('that %s', async (_name, hop, why, make) => {
    const [receipt, evidence] = await make();
    const { isRefused, hops } = judged(receipt, evidence);
    expect(isRefused).toBe(true);
    const refusals = hops.filter(({ outcome }) => outcome === 'refused');
    expect(refusals.map((each) => each.hop)).toEqual([hop]);
    expect(refusals[0]?.text).toMatch(why);
  });

  it('in each of its bits', () => {
    const text = jws(rpcReceipt());
    for (let at = 0; at < text.length; at += 7) {
      const bytes = Buffer.from(text);
      bytes[at] = (bytes[at] as number) ^ 1;
      expect(judged(bytes.toString('latin1')).isRefused, `character ${at}`).toBe(true);
    }
  });

  it('with a key of small order, under which a forged signature could verify', () => {
    const key = { kty: 'OKP', crv: 'Ed25519', kid: GATEWAY.jwk.kid, x: b64(hexToBytes(`01${'00'.repeat(31)}`)) };
    const [head, body] = jws(rpcReceipt()).split('.');
    const forged = `${head}.${body}.${b64(hexToBytes(`01${'00'.repeat(63)}`))}`;
    expect(judged(forged, { keys: { keys: [key] } }).isRefused).toBe(true);
  });
});
