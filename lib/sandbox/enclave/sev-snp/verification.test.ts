import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { EnclaveCheckId } from '@/lib/protocol/attestation/enclave-checks';
import type { Endorsements } from '@/lib/protocol/attestation/enclave';
import { DEFAULT_ENCLAVE_POLICY } from '@/lib/protocol/attestation/policy';
import { AMD_AUTHORITIES } from '@/lib/protocol/attestation/sev-snp/amd-authorities';
import { TCB_MINIMA } from '@/lib/protocol/attestation/sev-snp/tcb-version';
import { verifySevSnp } from '@/lib/protocol/attestation/sev-snp/verify-sev-snp';
import { CheckList } from '@/lib/protocol/tee/check-list';
import { createSnpPlatform, SNP_CHIP, type SnpPlatform, type SnpReportContent, writeSnpReport } from './snp-platform';

vi.setConfig({ testTimeout: 60_000 });

const nowMs = Date.UTC(2026, 5, 29);
const DAY_MS = 86_400_000;
const genoa = createSnpPlatform(nowMs);
const other = createSnpPlatform(nowMs);
const milan = createSnpPlatform(nowMs, {
  ...SNP_CHIP,
  product: 'Milan',
  levels: { ...SNP_CHIP.levels, snp: 0x18, microcode: 0xdb },
});
const turin = createSnpPlatform(nowMs, { ...SNP_CHIP, product: 'Turin' });
const content: SnpReportContent = { reportData: Buffer.alloc(64, 7), measurement: Buffer.alloc(48, 9) };
const levels = (change: Partial<typeof SNP_CHIP.levels>) => ({ ...SNP_CHIP.levels, ...change });
const report = (change: Partial<SnpReportContent> = {}, platform: SnpPlatform = genoa) =>
  writeSnpReport(platform.chip, platform.chipKey, { ...content, ...change });
const touched = (bytes: Buffer, at: number) =>
  Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));

interface Change {
  report?: Buffer;
  certificates?: readonly Uint8Array[];
  lists?: readonly Uint8Array[];
  platform?: SnpPlatform;
  authorities?: typeof AMD_AUTHORITIES;
  nowMs?: number;
}

async function verify({ platform = genoa, ...change }: Change = {}) {
  const list = new CheckList<EnclaveCheckId>();
  const endorsements = {
    amdCertificates: change.certificates ?? [platform.vcek],
    amdRevocationLists: change.lists ?? [],
  } as unknown as Endorsements;
  const policy = {
    ...DEFAULT_ENCLAVE_POLICY,
    amd: { authorities: change.authorities ?? [platform.authority], tcbMinima: TCB_MINIMA },
  };
  const findings = await verifySevSnp(
    { kind: 'amd-sev-snp', report: () => change.report ?? report({}, platform), certificates: () => [] },
    { endorsements, policy, nowMs: change.nowMs ?? nowMs },
    list,
  );
  const outcomes = (outcome: string) => list.checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
  return { findings, failed: outcomes('failed'), unmade: outcomes('not-checkable'), checks: list.checks };
}

describe('a report of an SEV-SNP guest', () => {
  it.each([
    ['Milan', milan],
    ['Genoa', genoa],
    ['Turin', turin],
  ] as const)('of %s passes every check under its root, and says what it measured', async (_, platform) => {
    const { findings, failed, unmade, checks } = await verify({ platform });
    expect({ failed, unmade, count: checks.length }).toEqual({ failed: [], unmade: [], count: 9 });
    expect(findings).toMatchObject({
      isSimulated: true,
      measurements: { kind: 'amd-sev-snp', snpMeasurement: '09'.repeat(48), snpHostData: '00'.repeat(32) },
    });
    expect(Buffer.from(findings?.reportData ?? []).equals(Buffer.alloc(64, 7))).toBe(true);
  });

  it.each([2, 3, 4, 5])('of version %i is read', async (version) => {
    expect((await verify({ report: report({ version }) })).failed).toEqual([]);
  });

  it('passes with the signing key that came along, where a current list does not name it', async () => {
    expect((await verify({ certificates: [genoa.ark, genoa.ask, genoa.vcek] })).failed).toEqual([]);
    expect((await verify({ lists: [genoa.revocationList(['51'], nowMs - DAY_MS, nowMs + DAY_MS)] })).failed).toEqual(
      [],
    );
  });

  it('finds the certificate of its chip and its levels among those of others', async () => {
    const older = genoa.certify({ levels: levels({ microcode: 0x50 }) });
    expect(
      (
        await verify({
          certificates: [milan.vcek, older, genoa.certify({ chipId: Buffer.alloc(64, 0xc2) }), genoa.vcek],
          authorities: [milan.authority, genoa.authority],
        })
      ).failed,
    ).toEqual([]);
  });

  it('is not checkable without the certificate of its chip, under roots of other products, and signed with a leased key', async () => {
    expect((await verify({ certificates: [] })).unmade).toContain('certificate-chain');
    expect((await verify({ authorities: AMD_AUTHORITIES })).unmade).toContain('certificate-chain');
    expect((await verify({ report: report({ signingKey: 1 }) })).unmade).toContain('certificate-chain');
  });

  const foreignKey = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const askSerial = genoa.authority.signingKey.serial;
  it.each<[string, Change, EnclaveCheckId]>([
    ['a byte of the report data changed', { report: touched(report(), 0x50) }, 'quote-signature'],
    ['a byte of the measurement changed', { report: touched(report(), 0x90) }, 'quote-signature'],
    ['a bit of r changed', { report: touched(report(), 0x2a0) }, 'quote-signature'],
    ['a bit of s changed', { report: touched(report(), 0x2a0 + 72) }, 'quote-signature'],
    ['a byte between r and s set', { report: touched(report(), 0x2a0 + 60) }, 'quote-format'],
    ['a byte after s set', { report: touched(report(), 1_183) }, 'quote-format'],
    ['a byte too few', { report: report().subarray(1) }, 'quote-format'],
    ['a byte too many', { report: Buffer.concat([report(), Buffer.of(0)]) }, 'quote-format'],
    ['no byte at all', { report: Buffer.alloc(0) }, 'quote-format'],
    ['version 1', { report: report({ version: 1 }) }, 'quote-format'],
    ['version 6', { report: report({ version: 6 }) }, 'quote-format'],
    ['another algorithm', { report: report({ signatureAlgorithm: 2 }) }, 'quote-format'],
    ['a key of an unknown kind', { report: report({ signingKey: 3 }) }, 'quote-format'],
    ['no key', { report: report({ signingKey: 7 }) }, 'certificate-chain'],
    [
      'a signature of zeros',
      { report: Buffer.concat([report().subarray(0, 0x2a0), Buffer.alloc(512)]) },
      'quote-signature',
    ],
    [
      'a signature by another key',
      { report: writeSnpReport(genoa.chip, foreignKey.privateKey, content) },
      'quote-signature',
    ],
    ['debug allowed', { report: report({ policy: 0xb0000n }) }, 'debug-off'],
    ['a policy with a bit that nobody knows', { report: report({ policy: 0x4030000n }) }, 'debug-off'],
    ['a policy without the bit that is always set', { report: report({ policy: 0x10000n }) }, 'debug-off'],
    ['a migration agent allowed', { report: report({ policy: 0x70000n }) }, 'migration-off'],
    ['a report asked for at level 1', { report: report({ vmpl: 1 }) }, 'privilege-level'],
    ['a report asked for by the host', { report: report({ vmpl: 0xffffffff }) }, 'privilege-level'],
    ['another chip', { report: report({ chipId: Buffer.alloc(64, 0xc2) }) }, 'certificate-chain'],
    [
      'a hidden chip',
      { report: report({ chipId: Buffer.alloc(64) }), certificates: [genoa.certify({ chipId: Buffer.alloc(64) })] },
      'certificate-chain',
    ],
    ['a processor of another product', { report: report({ cpuid: [0x19, 0x01, 1] }) }, 'certificate-chain'],
    ['a processor that nobody knows', { report: report({ cpuid: [0x1b, 0x01, 1] }) }, 'certificate-chain'],
    ['a certificate of another product', { certificates: [genoa.certify({ product: 'Milan' })] }, 'certificate-chain'],
    ['a certificate of another root', { certificates: [other.vcek] }, 'certificate-chain'],
    [
      'a certificate with a byte changed',
      { certificates: [touched(genoa.vcek, genoa.vcek.length - 20)] },
      'certificate-chain',
    ],
    ['a certificate that is cut off', { certificates: [genoa.vcek.subarray(0, 300)] }, 'certificate-chain'],
    [
      'a signing key that is not signed by the root',
      { certificates: [genoa.vcek, touched(genoa.ask, genoa.ask.length - 20)] },
      'certificate-chain',
    ],
    [
      'a certificate beside it that is of no trusted root',
      { certificates: [genoa.vcek, milan.ark] },
      'certificate-chain',
    ],
    ['a signing key of another root', { certificates: [genoa.vcek, other.ask] }, 'certificate-chain'],
    [
      'a certificate for another key',
      { certificates: [genoa.certify({ publicKey: foreignKey.publicKey })] },
      'quote-signature',
    ],
    [
      'a certificate on another curve',
      { certificates: [genoa.certify({ publicKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey })] },
      'quote-signature',
    ],
    [
      'a certificate that has expired',
      { certificates: [genoa.certify({ notAfterMs: nowMs - DAY_MS })] },
      'certificate-validity',
    ],
    [
      'a certificate of the future',
      { certificates: [genoa.certify({ notBeforeMs: nowMs + DAY_MS })] },
      'certificate-validity',
    ],
    ['a root that has expired', { nowMs: nowMs + 20 * 365 * DAY_MS }, 'certificate-validity'],
    [
      'a signing key that is revoked',
      { lists: [genoa.revocationList([askSerial], nowMs - DAY_MS, nowMs + DAY_MS)] },
      'revocation',
    ],
    [
      'a list that has expired',
      { lists: [genoa.revocationList([], nowMs - 2 * DAY_MS, nowMs - DAY_MS)] },
      'revocation',
    ],
    ['a list of the future', { lists: [genoa.revocationList([], nowMs + DAY_MS, nowMs + 2 * DAY_MS)] }, 'revocation'],
    [
      'a list with a byte changed',
      { lists: [touched(genoa.revocationList([], nowMs - DAY_MS, nowMs + DAY_MS), 200)] },
      'revocation',
    ],
    [
      'a list of another root by the same name',
      { lists: [other.revocationList([], nowMs - DAY_MS, nowMs + DAY_MS)] },
      'revocation',
    ],
    [
      'other levels than the certificate',
      {
        report: report({
          reported: levels({ snp: 0x18 }),
          committed: levels({ snp: 0x18 }),
          current: levels({ snp: 0x18 }),
        }),
      },
      'tcb-status',
    ],
    ['more reported than committed', { report: report({ committed: levels({ snp: 0x16 }) }) }, 'tcb-status'],
    ['more committed than running', { report: report({ committed: levels({ microcode: 0x60 }) }) }, 'tcb-status'],
    ['more at launch than now', { report: report({ launched: levels({ microcode: 0x60 }) }) }, 'tcb-status'],
  ])('with %s is refused', async (_, change, id) => {
    const { failed } = await verify(change);
    expect(failed).toEqual([id]);
  });

  it('of older firmware is refused even where its certificate says so too', async () => {
    for (const [older, word] of [
      [levels({ snp: 0x16 }), 'snp 22 < 23'],
      [levels({ microcode: 0x53 }), 'microcode 83 < 84'],
    ] as const) {
      const { failed, checks } = await verify({
        report: report({ reported: older }),
        certificates: [genoa.certify({ levels: older })],
      });
      expect(failed).toEqual(['tcb-status']);
      expect(checks.find(({ id }) => id === 'tcb-status')?.reason).toContain(word);
    }
  });

  it('of Turin binds the first eight bytes of the id of its chip', async () => {
    const chipId = Buffer.concat([Buffer.alloc(7, 0xc1), Buffer.of(0xc2)], 64);
    expect((await verify({ platform: turin, report: report({ chipId }, turin) })).failed).toEqual([
      'certificate-chain',
    ]);
  });
});
