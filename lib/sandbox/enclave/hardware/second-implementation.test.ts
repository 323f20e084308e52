import { QuoteVerifier } from '@phala/dcap-qvl';
import { describe, expect, it, vi } from 'vitest';
import { CheckList } from '@/lib/protocol/tee/check-list';
import { type CollateralJson, readCollateral } from '@/lib/protocol/tee/hardware/collateral';
import { verifyHardware } from '@/lib/protocol/tee/hardware/verify-hardware';
import { DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { measureBoot } from '../measured-boot';
import { issueRevocationList } from './certificate-authority';
import { issueCollateral } from './collateral';
import { generatePlatformKeys, NAMES } from './platform-keys';
import { makeQuote, type QuoteForm, type TrustDomain } from './quote';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

/** Compares our verification with Phala's implementation, which shares no code with ours. */
const nowMs = Date.UTC(2026, 10, 1);
const keys = generatePlatformKeys(nowMs);
const domain: TrustDomain = { ...measureBoot('{}'), reportData: Buffer.alloc(64, 5) };
const collateral = issueCollateral(keys, nowMs);
const roots = [configuredRoot(keys.certificates.root, true)];

function theirsAccepts(quote: Uint8Array, given: CollateralJson): boolean {
  try {
    const library = QuoteVerifier.newWithRootCa(keys.certificates.root).verify(quote, given, nowMs / 1_000);
    return library.status === 'UpToDate';
  } catch {
    return false;
  }
}
async function oursAccepts(quote: Uint8Array, given: CollateralJson): Promise<boolean> {
  const list = new CheckList();
  await verifyHardware(
    { quoteBytes: () => quote, collateral: () => readCollateral(given), policy: { ...DEFAULT_POLICY, roots }, nowMs },
    list,
  );
  return list.checks.every(({ outcome }) => outcome === 'passed');
}

describe('beside another implementation', () => {
  it.each(['4', '5-td10', '5-td15'] as QuoteForm[])('both take an honest quote of form %s', async (form) => {
    const quote = makeQuote(keys, domain, form);
    expect([theirsAccepts(quote, collateral), await oursAccepts(quote, collateral)]).toEqual([true, true]);
  });

  it('both refuse debug, and domains whose host may inject faults', async () => {
    for (const attributes of ['0100001000000000', '0000000000000000', '0000001000000001']) {
      const quote = makeQuote(keys, { ...domain, attributes: Buffer.from(attributes, 'hex') });
      expect([theirsAccepts(quote, collateral), await oursAccepts(quote, collateral)]).toEqual([false, false]);
    }
  });

  it('ours takes nothing that theirs refuses, of quotes with a few bits flipped', async () => {
    const random = new SeededRandom(41);
    const honest = makeQuote(keys, domain);
    for (let attempt = 0; attempt < 40; attempt++) {
      const quote = Buffer.from(honest);
      for (let flips = random.integer(1, 2); flips > 0; flips--) {
        const index = random.integer(0, quote.length - 1);
        quote[index] = (quote[index] as number) ^ (1 << random.integer(0, 7));
      }
      expect((await oursAccepts(quote, collateral)) && !theirsAccepts(quote, collateral)).toBe(false);
      expect(await oursAccepts(quote, collateral)).toBe(false);
    }
  });

  it('ours takes nothing that theirs refuses, of collateral with characters changed', async () => {
    const random = new SeededRandom(42);
    const quote = makeQuote(keys, domain);
    const fields = Object.keys(collateral) as (keyof CollateralJson)[];
    for (let attempt = 0; attempt < 40; attempt++) {
      const field = random.pick(fields);
      const text = collateral[field];
      const index = random.integer(0, text.length - 1);
      const given = {
        ...collateral,
        [field]: text.slice(0, index) + random.pick(['0', 'f', 'A', '"', '\n']) + text.slice(index + 1),
      };
      if (given[field] === text || given[field].toLowerCase() === text.toLowerCase()) continue;
      expect(await oursAccepts(quote, given)).toBe(false);
    }
  });

  describe('ours refuses what theirs lets through:', () => {
    const quote = makeQuote(keys, domain);
    const list = (changes: Partial<Parameters<typeof issueRevocationList>[0]>) =>
      issueRevocationList({
        issuer: { name: NAMES.platformAuthority, privateKey: keys.privateKeys.platformAuthority },
        thisUpdateMs: nowMs - 1_000,
        nextUpdateMs: nowMs + 1_000,
        ...changes,
      }).toString('hex');
    const cases: [string, Uint8Array, Partial<CollateralJson>][] = [
      [
        'a revocation list signed by somebody else',
        quote,
        { pck_crl: list({ issuer: { name: NAMES.platformAuthority, privateKey: keys.privateKeys.documentSigner } }) },
      ],
      ['a revocation list without a signature', quote, { pck_crl: collateral.pck_crl.slice(0, -64) + '0'.repeat(64) }],
      ['a stale revocation list', quote, { pck_crl: list({ nextUpdateMs: nowMs - 1 }) }],
      ['bytes after the quote', Buffer.concat([quote, Buffer.from('more')]), {}],
      [
        'a TDX module that another signed',
        quote,
        issueCollateral(keys, nowMs, {
          tcbInfo: {
            tdxModuleIdentities: [
              {
                id: 'TDX_01',
                mrsigner: '01'.repeat(48),
                attributes: '00'.repeat(8),
                attributesMask: 'FF'.repeat(8),
                tcbLevels: [],
              },
            ],
          },
        }),
      ],
    ];

    it.each(cases)('%s', async (_, given, changes) => {
      const changed = { ...collateral, ...changes };
      expect([theirsAccepts(given, changed), await oursAccepts(given, changed)]).toEqual([true, false]);
    });
  });
});
