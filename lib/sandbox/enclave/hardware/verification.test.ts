import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { type CheckId, CheckList } from '@/lib/protocol/tee/check-list';
import { type CollateralJson, readCollateral } from '@/lib/protocol/tee/hardware/collateral';
import { verifyHardware } from '@/lib/protocol/tee/hardware/verify-hardware';
import { type AttestationPolicy, DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { parseQuote } from '@/lib/protocol/tee/quote/quote';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { parseCertificate } from '@/lib/protocol/tee/x509/certificate';
import { measureBoot } from '../measured-boot';
import { reissue } from '../testing/reissue';
import { issueRevocationList, pemOf } from './certificate-authority';
import { issueCollateral } from './collateral';
import { generatePlatformKeys, NAMES, type PlatformKeys } from './platform-keys';
import { makeQuote, type QuoteForm, type TrustDomain } from './quote';

// These tests need more time, because cryptography in plain JavaScript is slow.
vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 10, 1);
const dayMs = 86_400_000;
const keys = generatePlatformKeys(nowMs);
const stranger = generatePlatformKeys(nowMs);
const boot = measureBoot('{}');
const domain: TrustDomain = { ...boot, reportData: Buffer.alloc(64, 5) };
const policy: AttestationPolicy = { ...DEFAULT_POLICY, roots: [configuredRoot(keys.certificates.root, true)] };

interface Change {
  quote?: Uint8Array;
  collateral?: Partial<CollateralJson>;
  policy?: Partial<AttestationPolicy>;
  nowMs?: number;
}
async function failed(change: Change = {}): Promise<CheckId[]> {
  const list = new CheckList();
  const collateral = { ...issueCollateral(keys, nowMs), ...change.collateral };
  await verifyHardware(
    {
      quoteBytes: () => change.quote ?? makeQuote(keys, domain),
      collateral: () => readCollateral(collateral),
      policy: { ...policy, ...change.policy },
      nowMs: change.nowMs ?? nowMs,
    },
    list,
  );
  return list.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}
const reissued = (name: keyof PlatformKeys['certificates'], request: Parameters<typeof reissue>[2]) =>
  reissue(keys, name, request);
const crl = (issuer: 'root' | 'platformAuthority', request: Partial<Parameters<typeof issueRevocationList>[0]> = {}) =>
  issueRevocationList({
    issuer: { name: NAMES[issuer], privateKey: keys.privateKeys[issuer] },
    thisUpdateMs: nowMs - dayMs,
    nextUpdateMs: nowMs + dayMs,
    ...request,
  }).toString('hex');
const serialOf = (name: keyof PlatformKeys['certificates']) => parseCertificate(keys.certificates[name]).serial;

describe('a simulated quote', () => {
  it.each(['4', '5-td10', '5-td15'] as QuoteForm[])('of form %s passes every check of the hardware', async (form) => {
    expect(await failed({ quote: makeQuote(keys, domain, form) })).toEqual([]);
    const { report } = parseQuote(makeQuote(keys, domain, form));
    expect(new Uint8Array(report.reportData)).toEqual(new Uint8Array(64).fill(5));
    expect(report.teeTcbSvn2 === null).toBe(form !== '5-td15');
  });

  it.each([
    ['an unknown type', (quote: Buffer) => quote.writeUInt16LE(4, 48)],
    ['the type of an SGX enclave', (quote: Buffer) => quote.writeUInt16LE(1, 48)],
    ['a size of another type', (quote: Buffer) => quote.writeUInt32LE(648, 50)],
    ['an enormous size', (quote: Buffer) => quote.writeUInt32LE(0xffff_ffff, 50)],
  ])('of version 5 fails with %s', async (_, touch) => {
    const quote = makeQuote(keys, domain, '5-td10');
    touch(quote);
    expect(await failed({ quote })).toEqual(['quote-format']);
  });

  it.each([
    ['version 3', (quote: Buffer) => quote.writeUInt16LE(3, 0)],
    ['version 6', (quote: Buffer) => quote.writeUInt16LE(6, 0)],
    ['another key type', (quote: Buffer) => quote.writeUInt16LE(3, 2)],
    ['SGX as its TEE', (quote: Buffer) => quote.writeUInt32LE(0, 4)],
    ['another vendor', (quote: Buffer) => quote.writeUInt8(0, 12)],
  ])('fails with %s', async (_, touch) => {
    const quote = makeQuote(keys, domain);
    touch(quote);
    expect(await failed({ quote })).toEqual(['quote-format']);
  });
});

describe('a quote that was signed anew fails', () => {
  const other = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  it('by another attestation key, which no processor vouches for', async () => {
    const quote = makeQuote(keys, domain);
    const forged = makeQuote(keys, { ...domain, reportData: Buffer.alloc(64, 6) }, '4', { attestation: other() });
    // Puts the forger's signature and key before the genuine report of the quoting enclave.
    expect(await failed({ quote: Buffer.concat([forged.subarray(0, 764), quote.subarray(764)]) })).toEqual([
      'quoting-enclave',
    ]);
  });

  it('with a quoting enclave that another processor signed', async () => {
    expect(await failed({ quote: makeQuote(keys, domain, '4', { attestation: other(), processor: other() }) })).toEqual(
      ['quoting-enclave'],
    );
  });

  it('under the names of the platform, by another platform', async () => {
    expect(
      await failed({ quote: makeQuote(stranger, domain), collateral: issueCollateral(stranger, nowMs) }),
    ).toContain('certificate-chain');
    expect(
      await failed({
        quote: makeQuote(
          { ...stranger, certificates: { ...stranger.certificates, root: keys.certificates.root } },
          domain,
        ),
      }),
    ).toContain('certificate-chain');
  });

  it.each([
    ['in debug mode', '0100001000000000'],
    ['with another bit of the debug group', '8000001000000000'],
    ['with a reserved bit', '0000001000000001'],
    ['without SEPT_VE_DISABLE', '0000000000000000'],
  ])('for a domain %s', async (_, attributes) => {
    for (const form of ['4', '5-td10', '5-td15'] as const)
      expect(
        await failed({ quote: makeQuote(keys, { ...domain, attributes: Buffer.from(attributes, 'hex') }, form) }),
        form,
      ).toEqual(['debug-off']);
  });

  it('for a domain that a service domain may move to other hardware', async () => {
    expect(await failed({ quote: makeQuote(keys, { ...domain, mrServiceTd: Buffer.alloc(48, 1) }, '5-td15') })).toEqual(
      ['debug-off'],
    );
  });
});

describe('certificates', () => {
  const quoteOf = (platform: PlatformKeys) => makeQuote(platform, domain);

  it('of a processor that has expired, or is not valid yet, are refused', async () => {
    expect(await failed({ quote: quoteOf(reissued('processor', { notAfterMs: nowMs - 1_000 })) })).toEqual([
      'certificate-validity',
    ]);
    expect(await failed({ quote: quoteOf(reissued('processor', { notBeforeMs: nowMs + 1_000 })) })).toEqual([
      'certificate-validity',
    ]);
  });

  it('of an authority, or of who signs the documents, that have expired are refused', async () => {
    const expired = { notAfterMs: nowMs - 1_000 };
    const authority = reissued('platformAuthority', expired);
    expect(await failed({ quote: quoteOf(authority), collateral: issueCollateral(authority, nowMs) })).toEqual([
      'certificate-validity',
    ]);
    expect(await failed({ collateral: issueCollateral(reissued('documentSigner', expired), nowMs) })).toEqual([
      'certificate-validity',
    ]);
  });

  it('issued by a certificate that is no authority are refused', async () => {
    expect(await failed({ quote: quoteOf(reissued('platformAuthority', { pathLength: null })) })).toContain(
      'certificate-chain',
    );
  });

  it('of a processor that is an authority are refused', async () => {
    expect(await failed({ quote: quoteOf(reissued('processor', { pathLength: 0 })) })).toContain('certificate-chain');
  });

  it('of a processor without the extension of processors are refused', async () => {
    expect(await failed({ quote: quoteOf(reissued('processor', { extensions: {} })) })).toContain('certificate-chain');
  });

  it('that an end entity issued are refused', async () => {
    const issuer = { name: NAMES.documentSigner, privateKey: keys.privateKeys.documentSigner };
    const forged = reissued('processor', { issuer });
    expect(
      await failed({
        quote: quoteOf({
          ...forged,
          certificates: { ...forged.certificates, platformAuthority: keys.certificates.documentSigner },
        }),
      }),
    ).toContain('certificate-chain');
  });

  it('that lead past a root of the same name are refused', async () => {
    expect(
      await failed({
        quote: quoteOf({ ...keys, certificates: { ...keys.certificates, root: stranger.certificates.root } }),
      }),
    ).toContain('certificate-chain');
  });

  it('in a chain of another length are refused', async () => {
    const longer = {
      ...keys,
      certificates: { ...keys.certificates, processor: Buffer.concat([keys.certificates.processor]) },
    };
    const quote = makeQuote(longer, domain);
    const text = quote.toString('latin1');
    expect(
      await failed({ quote: Buffer.from(text.replace(pemOf(keys.certificates.platformAuthority), ''), 'latin1') }),
    ).toEqual(['quote-format']);
  });
});

describe('revocation lists', () => {
  const issuerOf = (name: 'root' | 'platformAuthority', from: PlatformKeys = keys) => ({
    name: NAMES[name],
    privateKey: from.privateKeys[name],
  });

  it('that name a certificate of the chain stop it', async () => {
    for (const name of ['platformAuthority', 'documentSigner', 'root'] as const)
      expect(await failed({ collateral: { root_ca_crl: crl('root', { revoked: [serialOf(name)] }) } })).toEqual([
        'revocation',
      ]);
    expect(
      await failed({ collateral: { pck_crl: crl('platformAuthority', { revoked: ['0102', serialOf('processor')] }) } }),
    ).toEqual(['revocation']);
  });

  it('that name others stop nothing', async () => {
    expect(
      await failed({
        collateral: {
          root_ca_crl: crl('root', { revoked: ['0102', serialOf('processor')] }),
          pck_crl: crl('platformAuthority', { revoked: ['0102'] }),
        },
      }),
    ).toEqual([]);
  });

  it('that are signed by another key are refused', async () => {
    expect(await failed({ collateral: { root_ca_crl: crl('root', { issuer: issuerOf('root', stranger) }) } })).toEqual([
      'revocation',
    ]);
    expect(
      await failed({
        collateral: {
          pck_crl: crl('platformAuthority', {
            issuer: { name: NAMES.platformAuthority, privateKey: keys.privateKeys.root },
          }),
        },
      }),
    ).toEqual(['revocation']);
  });

  it('that are by another issuer are refused', async () => {
    expect(await failed({ collateral: { root_ca_crl: crl('platformAuthority') } })).toEqual(['revocation']);
    expect(await failed({ collateral: { pck_crl: crl('root') } })).toEqual(['revocation']);
    expect(await failed({ collateral: { pck_crl: crl('platformAuthority', { issuer: issuerOf('root') }) } })).toEqual([
      'revocation',
    ]);
  });

  it('that are stale or of the future are refused', async () => {
    expect(await failed({ collateral: { root_ca_crl: crl('root', { nextUpdateMs: nowMs - 1_000 }) } })).toEqual([
      'revocation',
    ]);
    expect(
      await failed({ collateral: { pck_crl: crl('platformAuthority', { thisUpdateMs: nowMs + 1_000 }) } }),
    ).toEqual(['revocation']);
  });
});

describe('the documents about platform and quoting enclave', () => {
  const signedAnew = (changes: Parameters<typeof issueCollateral>[2], from: PlatformKeys = keys) =>
    issueCollateral(from, nowMs, changes);
  const past = '2026-10-30T00:00:00Z';

  it.each(['tcbInfo', 'qeIdentity'] as const)(
    '%s: stale, of the future, of another version, type or shape are refused',
    async (document) => {
      const check = document === 'tcbInfo' ? 'tcb-info' : 'qe-identity';
      for (const fault of [
        { nextUpdate: past },
        { issueDate: '2027-01-01T00:00:00Z' },
        { version: 4 },
        { id: 'SGX' },
        { id: 'QE' },
        { nextUpdate: 'never' },
        { issueDate: null },
        { tcbLevels: {} },
        { tcbEvaluationDataNumber: -1 },
      ]) {
        expect(await failed({ collateral: signedAnew({ [document]: fault }) }), JSON.stringify(fault)).toContain(check);
      }
    },
  );

  it('signed by another key, or by one of another root, are refused', async () => {
    const foreign = issueCollateral(stranger, nowMs);
    expect(await failed({ collateral: { tcb_info_signature: foreign.tcb_info_signature } })).toContain('tcb-info');
    expect(
      await failed({
        collateral: { qe_identity_signature: foreign.qe_identity_signature, qe_identity: foreign.qe_identity },
      }),
    ).toContain('qe-identity');
    expect(
      await failed({
        collateral: {
          tcb_info: foreign.tcb_info,
          tcb_info_signature: foreign.tcb_info_signature,
          tcb_info_issuer_chain: foreign.tcb_info_issuer_chain,
        },
      }),
    ).toContain('tcb-info');
  });

  it('of another trusted root than the processor’s are refused', async () => {
    const foreign = issueCollateral(stranger, nowMs);
    const roots = [...policy.roots, configuredRoot(stranger.certificates.root, true)];
    expect(
      await failed({
        policy: { roots },
        collateral: {
          tcb_info: foreign.tcb_info,
          tcb_info_signature: foreign.tcb_info_signature,
          tcb_info_issuer_chain: foreign.tcb_info_issuer_chain,
        },
      }),
    ).toContain('tcb-info');
  });

  it('signed by an authority, or by the processor itself, are refused', async () => {
    const byAuthority = signedAnew(
      {},
      {
        ...keys,
        privateKeys: { ...keys.privateKeys, documentSigner: keys.privateKeys.platformAuthority },
        certificates: { ...keys.certificates, documentSigner: keys.certificates.platformAuthority },
      },
    );
    expect(await failed({ collateral: byAuthority })).toEqual(expect.arrayContaining(['tcb-info', 'qe-identity']));
    const byProcessor = signedAnew(
      {},
      { ...keys, privateKeys: { ...keys.privateKeys, documentSigner: keys.privateKeys.processor } },
    );
    const chain =
      pemOf(keys.certificates.processor) + pemOf(keys.certificates.platformAuthority) + pemOf(keys.certificates.root);
    expect(
      await failed({ collateral: { ...byProcessor, tcb_info_issuer_chain: chain, qe_identity_issuer_chain: chain } }),
    ).toEqual(expect.arrayContaining(['tcb-info', 'qe-identity']));
  });

  it('of another family of platforms are refused', async () => {
    expect(await failed({ collateral: signedAnew({ tcbInfo: { fmspc: '000000000000' } }) })).toContain('tcb-info');
    expect(await failed({ collateral: signedAnew({ tcbInfo: { pceId: '0001' } }) })).toContain('tcb-info');
  });

  it('of an older evaluation than the policy wants are refused', async () => {
    expect(await failed({ policy: { evaluationDataNumberMin: 17 } })).toEqual([]);
    expect(await failed({ policy: { evaluationDataNumberMin: 18 } })).toEqual(
      expect.arrayContaining(['tcb-info', 'qe-identity']),
    );
  });

  it('that name another signer, product or attributes of the quoting enclave stop it', async () => {
    for (const change of [
      { mrsigner: '00'.repeat(32) },
      { isvprodid: 1 },
      { attributes: '10000000000000000000000000000000' },
      { miscselect: '01000000' },
    ]) {
      expect(await failed({ collateral: signedAnew({ qeIdentity: change }) }), JSON.stringify(change)).toEqual([
        'quoting-enclave',
      ]);
    }
  });

  it('that name another signer or attributes of the TDX module stop it', async () => {
    const level = { tcb: { isvsvn: 4 }, tcbDate: '2026-01-01T00:00:00Z', tcbStatus: 'UpToDate' };
    const identity = {
      id: 'TDX_01',
      mrsigner: '00'.repeat(48),
      attributes: '00'.repeat(8),
      attributesMask: 'FF'.repeat(8),
      tcbLevels: [level],
    };
    for (const change of [
      { mrsigner: '01'.repeat(48) },
      { attributes: '01'.repeat(8) },
      { id: 'TDX_02' },
      { tcbLevels: [{ ...level, tcb: { isvsvn: 7 } }] },
    ]) {
      expect(
        await failed({ collateral: signedAnew({ tcbInfo: { tdxModuleIdentities: [{ ...identity, ...change }] } }) }),
        JSON.stringify(change),
      ).toContain('tdx-module');
    }
  });
});

describe('the level of a platform', () => {
  const tcbInfo = JSON.parse(issueCollateral(keys, nowMs).tcb_info) as {
    tcbLevels: { tcbStatus: string; tcb: Record<string, unknown> }[];
    tdxModuleIdentities: { tcbLevels: unknown[] }[];
  };
  const qeLevels = (tcbStatus: string) => [{ tcb: { isvsvn: 1 }, tcbDate: '2026-01-01T00:00:00Z', tcbStatus }];
  const withStatus = (tcbStatus: string) =>
    issueCollateral(keys, nowMs, { tcbInfo: { tcbLevels: [{ ...tcbInfo.tcbLevels[0], tcbStatus }] } });

  it.each([
    'SWHardeningNeeded',
    'ConfigurationNeeded',
    'ConfigurationAndSWHardeningNeeded',
    'OutOfDate',
    'OutOfDateConfigurationNeeded',
    'Revoked',
    'Splendid',
  ])('%s is refused unless the policy takes it', async (status) => {
    expect(await failed({ collateral: withStatus(status) })).not.toEqual([]);
    if (status === 'Splendid') return;
    expect(
      await failed({
        collateral: withStatus(status),
        policy: { acceptedTcbStatuses: ['UpToDate', status as 'OutOfDate'] },
      }),
    ).toEqual([]);
  });

  it('is lowered by an outdated quoting enclave or module', async () => {
    expect(
      await failed({ collateral: issueCollateral(keys, nowMs, { qeIdentity: { tcbLevels: qeLevels('OutOfDate') } }) }),
    ).toEqual(['tcb-status']);
    const outdated = { ...tcbInfo.tdxModuleIdentities[0], tcbLevels: qeLevels('OutOfDate') };
    expect(
      await failed({ collateral: issueCollateral(keys, nowMs, { tcbInfo: { tdxModuleIdentities: [outdated] } }) }),
    ).toEqual(['tcb-status']);
  });

  it('is the first that every version reaches, and none is a refusal', async () => {
    const higher = (name: string, value: unknown) => ({
      ...tcbInfo.tcbLevels[0],
      tcb: { ...tcbInfo.tcbLevels[0]?.tcb, [name]: value },
    });
    const svns = (svn: number) => Array.from({ length: 16 }, () => ({ svn }));
    for (const level of [
      higher('pcesvn', 14),
      higher('sgxtcbcomponents', svns(9)),
      higher('tdxtcbcomponents', svns(9)),
    ]) {
      expect(await failed({ collateral: issueCollateral(keys, nowMs, { tcbInfo: { tcbLevels: [level] } }) })).toEqual([
        'tcb-status',
      ]);
      expect(
        await failed({
          collateral: issueCollateral(keys, nowMs, { tcbInfo: { tcbLevels: [level, tcbInfo.tcbLevels[0]] } }),
        }),
      ).toEqual([]);
      expect(
        await failed({
          collateral: issueCollateral(keys, nowMs, { tcbInfo: { tcbLevels: [level, tcbInfo.tcbLevels[1]] } }),
        }),
      ).toEqual(['tcb-status']);
    }
  });
});
