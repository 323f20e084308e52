import { type KeyObject, sign } from 'node:crypto';
import type { SnpChip, SnpLevels } from './snp-platform';

/** Content of a simulated report. Defaults are those of a sound guest. */
export interface SnpReportContent {
  reportData: Uint8Array;
  measurement: Uint8Array;
  version?: number;
  policy?: bigint;
  vmpl?: number;
  signatureAlgorithm?: number;
  /** 0: VCEK, the chip's own key; 1: VLEK, a leased key; 7: unsigned. */
  signingKey?: number;
  chipId?: Uint8Array;
  cpuid?: readonly [family: number, model: number, stepping: number];
  reported?: SnpLevels;
  committed?: SnpLevels;
  current?: SnpLevels;
  launched?: SnpLevels;
}

const REPORT_BYTES = 1_184;
const SIGNED_BYTES = 0x2a0;
const SCALAR_BYTES = 48;
const SCALAR_FIELD_BYTES = 72;
const SMT_ALLOWED = 0x30000n;
const CPUID = { Milan: [0x19, 0x01, 1], Genoa: [0x19, 0x11, 1], Turin: [0x1a, 0x02, 1] } as const;

/** Writes an attestation report and signs it with a chip's key (AMD 56860, table "ATTESTATION_REPORT Structure"). */
export function writeSnpReport(chip: SnpChip, key: KeyObject, content: SnpReportContent): Buffer {
  const report = Buffer.alloc(REPORT_BYTES);
  const levels = (own: SnpLevels | undefined) => tcbVersion(chip, own ?? chip.levels);
  report.writeUInt32LE(content.version ?? 3, 0);
  report.writeBigUInt64LE(content.policy ?? SMT_ALLOWED, 0x08);
  report.writeUInt32LE(content.vmpl ?? 0, 0x30);
  report.writeUInt32LE(content.signatureAlgorithm ?? 1, 0x34);
  levels(content.current).copy(report, 0x38);
  report.writeUInt32LE((content.signingKey ?? 0) << 2, 0x48);
  report.set(content.reportData, 0x50);
  report.set(content.measurement, 0x90);
  levels(content.reported).copy(report, 0x180);
  if ((content.version ?? 3) >= 3) report.set(content.cpuid ?? CPUID[chip.product], 0x188);
  report.set(
    content.chipId ?? (chip.product === 'Turin' ? Buffer.concat([chip.chipId.subarray(0, 8)], 64) : chip.chipId),
    0x1a0,
  );
  levels(content.committed).copy(report, 0x1e0);
  report.set([40, 55, 1], 0x1e8);
  levels(content.launched).copy(report, 0x1f0);
  const signature = sign('sha384', report.subarray(0, SIGNED_BYTES), { key, dsaEncoding: 'ieee-p1363' });
  Buffer.from(signature.subarray(0, SCALAR_BYTES)).reverse().copy(report, SIGNED_BYTES);
  Buffer.from(signature.subarray(SCALAR_BYTES))
    .reverse()
    .copy(report, SIGNED_BYTES + SCALAR_FIELD_BYTES);
  return report;
}

function tcbVersion({ product }: SnpChip, { fmc, bootLoader, tee, snp, microcode }: SnpLevels): Buffer {
  return product === 'Turin'
    ? Buffer.of(fmc, bootLoader, tee, snp, 0, 0, 0, microcode)
    : Buffer.of(bootLoader, tee, 0, 0, 0, 0, snp, microcode);
}
