import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Locator, Page, Request } from '@playwright/test';
import { verifyMessage } from 'ethers';
import { expect, test } from './console-test';
import type { ChatPage } from './pages/chat-page';

/**
 * Follows each family of attested models on the page, from report to answer. The page verifies each hop and
 * encrypts in the family's way. The tests check its signatures with code other than the page's.
 */
const CANARY = 'zanzibar-7f3a9c';
const QUESTION = `How do I top up with USDC? ${CANARY}`;

/** Patterns of encrypted content on the wire, by kind of encryption. */
const SEALED = {
  ecdsa: {
    headers: { 'x-service-tee-signing-algo': 'ecdsa' },
    body: /"content":"04[0-9a-f]{184,}"/,
    received: /"content":"04[0-9a-f]{184,}"/,
  },
  ed25519: {
    headers: { 'x-service-tee-signing-algo': 'ed25519', 'x-encryption-version': '2' },
    body: /"content":"[0-9a-f]{144,}"/,
    received: /"content":"[0-9a-f]{144,}"/,
  },
  ehbp: {
    headers: { 'ehbp-encapsulated-key': /^[0-9a-f]{64}$/, 'x-service-tee-model': 'tinfoil-guide' },
    body: /^0000[0-9a-f]{200,}$/,
    received: /^0000[0-9a-f]{200,}/,
  },
  // An ML-KEM-768 capsule, a nonce and a tag have 1,116 bytes. Events of the answer are readable, but their content is
  // encrypted.
  'ml-kem-768': {
    headers: {
      'content-type': 'application/octet-stream',
      // The second of four instances, which the enclave restarts at each rotation.
      'x-service-tee-instance': /^instance-(\d*[02468])?[26]$|^instance-\d*[13579][048]$/,
      'x-e2e-stream': 'true',
    },
    body: /^[0-9a-f]{2400,}$/,
    received: /^data: \{"e2e_init":"[\w+/=]{1400,}"\}/,
  },
} as const;

interface Family {
  model: string;
  /** Hops in order, each with its state. */
  path: string;
  encryption: keyof typeof SEALED | null;
  /** How the page marks the proof of an answer. */
  signature: 'verified' | 'sealed' | 'sealed-pieces' | 'unavailable';
  /** Number of quotes in the report, by part of the enclave. */
  quotes: number;
}

const ENCRYPTED = 'client claim, gateway simulated, provider simulated';
const READ_ALONG = 'client claim, gateway claim, provider claim';

/** Neighbors differ in their path, so that none passes by what the page still shows of the one before. */
const FAMILIES: readonly Family[] = [
  {
    model: 'near-cloud-guide',
    path: `${ENCRYPTED}, router simulated, model simulated, gpu claim`,
    encryption: 'ecdsa',
    signature: 'verified',
    quotes: 2,
  },
  {
    model: 'near-direct-guide',
    path: `${READ_ALONG}, model simulated, gpu claim`,
    encryption: null,
    signature: 'unavailable',
    quotes: 1,
  },
  {
    model: 'near-ed25519-guide',
    path: `${ENCRYPTED}, model simulated, gpu claim`,
    encryption: 'ed25519',
    signature: 'verified',
    quotes: 1,
  },
  {
    model: 'tinfoil-guide',
    path: `${ENCRYPTED}, router simulated, model claim, gpu claim`,
    encryption: 'ehbp',
    signature: 'sealed',
    quotes: 1,
  },
  {
    model: 'chutes-guide',
    path: `${READ_ALONG}, model simulated, gpu claim`,
    encryption: null,
    signature: 'unavailable',
    quotes: 2,
  },
  {
    model: 'chutes-e2ee-guide',
    path: `${ENCRYPTED}, model simulated, gpu claim`,
    encryption: 'ml-kem-768',
    signature: 'sealed-pieces',
    quotes: 3,
  },
  {
    model: 'phala-cloud-guide',
    path: `${READ_ALONG}, model simulated, gpu claim`,
    encryption: null,
    signature: 'unavailable',
    quotes: 2,
  },
];

/** Models in the specification's own format are tested in chat-lock.spec.ts. */
const ELSEWHERE = ['e2ee-guide', 'tee-guide'];

test('no attested model of the sandbox is left out here', async ({ request }) => {
  const { data } = (await (await request.get('/api/v1/models')).json()) as {
    data: { id: string; model_spec: { capabilities: { supportsTeeAttestation: boolean } } }[];
  };
  const attested = data.filter(({ model_spec }) => model_spec.capabilities.supportsTeeAttestation).map(({ id }) => id);
  expect(attested.sort()).toEqual([...ELSEWHERE, ...FAMILIES.map(({ model }) => model)].sort());
});

for (const [provider, families] of [
  ['NEAR AI', FAMILIES.slice(0, 3)],
  ['Tinfoil, Chutes and Phala', FAMILIES.slice(3)],
] as const)
  test(`models of ${provider} are verified hop by hop, asked, and their answers told for what they are worth`, async ({
    chat,
    page,
  }) => {
    await chat.open();
    for (const family of families)
      await test.step(family.model, async () => {
        await chat.chooseModel(family.model);
        await expectToldForItsWorth(chat, page, family);
        await page.getByRole('button', { name: 'New conversation' }).click();
        await expect(chat.turns).toHaveCount(0);
      });
  });

/** Verifies the model that is chosen hop by hop, asks it, and reads what the page says about its answer. */
async function expectToldForItsWorth(
  chat: ChatPage,
  page: Page,
  { path, encryption, signature, quotes }: Family,
): Promise<void> {
  const sent: Request[] = [];
  page.on('request', (request) => void (request.url().endsWith('/chat/completions') && sent.push(request)));
  await chat.show('Privacy');
  const hops = chat.privacyPanel.getByRole('list', { name: 'The path of a prompt' }).getByRole('listitem');
  const told = () =>
    hops.evaluateAll((items) =>
      items.map((item) => `${item.getAttribute('data-hop')} ${item.getAttribute('data-standing')}`).join(', '),
    );
  await expect.poll(told).toBe(path);
  await expect(chat.verdict).toHaveAttribute('data-verdict', 'simulated');
  for (const at of [1, 2])
    await expect(hops.nth(at)).toContainText(
      encryption === null ? 'Every word, question and answer.' : 'not a word of it',
    );
  if (encryption === null)
    await expect(chat.privacyPanel).toContainText(
      'This gateway and the provider’s servers could read every word, and nothing proves that they do not.',
    );
  await chat.privacyPanel.getByText('All fields of the quote').click();
  await expect(chat.privacyPanel.getByText('MRTD', { exact: true }).and(page.locator('section dl dt'))).toHaveCount(
    quotes,
  );

  const answer = await chat.ask(QUESTION);
  await expect(answer).toContainText('top-up');
  await expect(answer.locator('[data-signature]')).toHaveAttribute('data-signature', signature);
  await answer.getByRole('button', { name: 'What crossed the wire' }).click();
  const wire = answer.getByRole('region', { name: 'What crossed the wire' });
  const shown = (name: string) =>
    wire
      .getByRole('group', { name: `${name}, byte for byte` })
      .locator('code')
      .textContent();
  const [bodyShown, receivedShown] = [(await shown('Sent')) ?? '', (await shown('Received')) ?? ''];

  expect(sent).toHaveLength(1);
  const body = sent[0]?.postDataBuffer() ?? Buffer.alloc(0);
  if (encryption === null) {
    expect(bodyShown).toContain(CANARY);
    await expect(wire).toContainText('plain text');
  } else {
    const { headers, body: form, received } = SEALED[encryption];
    expect(await sent[0]?.allHeaders()).toMatchObject(
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : (expect.stringMatching(value) as unknown),
        ]),
      ),
    );
    expect(body.toString('latin1')).not.toContain(CANARY);
    expect(bodyShown).toMatch(form);
    expect(receivedShown).toMatch(received);
    expect(receivedShown).not.toContain('USDC');
  }
  await expect(wire.getByText(`sha256 ${sha256(body)}`)).toBeVisible();
  if (signature === 'verified') await expectSigned(wire, sha256(body), await boundKey(chat.verdict));
  else
    await expect(wire.locator('dl')).toContainText(
      signature === 'unavailable'
        ? 'Not signed. The enclave attested no key for signing answers'
        : 'only the holder of the attested key could read',
    );
}

/**
 * Verifies that the signature covers the bytes sent and received, with the key in the privacy panel. Uses code other
 * than the page's.
 */
async function expectSigned(wire: Locator, requestHash: string, key: string): Promise<void> {
  const fact = async (name: string) =>
    (await wire.locator('dt', { hasText: name }).locator('+ dd').first().textContent()) ?? '';
  const [text, signature] = [await fact('Signed text'), await fact('Signature')];
  expect(text.split(':').slice(-2)[0]).toBe(requestHash);
  await expect(wire.getByText(`sha256 ${text.split(':').at(-1)}`)).toBeVisible();
  if (key.startsWith('0x')) expect(verifyMessage(text, signature).toLowerCase()).toBe(key.toLowerCase());
  else
    expect(
      verify(
        null,
        Buffer.from(text),
        createPublicKey({
          key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'hex').toString('base64url') },
          format: 'jwk',
        }),
        Buffer.from(signature, 'hex'),
      ),
    ).toBe(true);
}

async function boundKey(verdict: Locator): Promise<string> {
  return (await verdict.locator('dt', { hasText: 'Bound key' }).locator('+ dd').textContent()) ?? '';
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
