import { z } from 'zod';
import { TCB_STATUSES } from '@/lib/protocol/tee/hardware/tcb-status';
import type { AttestationPolicy } from '@/lib/protocol/tee/policy';
import { configuredRoot, INTEL_ROOT } from '@/lib/protocol/tee/trusted-roots';

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`), `Must be ${bytes} bytes in hexadecimal`).optional();
const REGISTER_BYTES = 48;

const root = z.strictObject({
  certificate: z.string().max(20_000).refine(isCertificate, 'Must be a certificate: DER in Base64').describe('DER in Base64'),
  simulated: z.boolean().default(false).describe('Whether what descends from it is no genuine hardware'),
});

const workload = z.strictObject({
  name: z.string().min(1).max(200),
  mrTd: hex(REGISTER_BYTES),
  rtMr0: hex(REGISTER_BYTES),
  rtMr1: hex(REGISTER_BYTES),
  rtMr2: hex(REGISTER_BYTES),
  rtMr3: hex(REGISTER_BYTES),
  mrConfigId: hex(REGISTER_BYTES),
  composeHash: hex(32),
});

const nvidiaKey = z.strictObject({ kid: z.string().min(1).max(200), kty: z.literal('EC'), crv: z.literal('P-384'), x: z.string().max(100), y: z.string().max(100) });

/** What the gateway takes for good in attestations of enclaves. Whoever calls decides for themselves. */
export const attestationSchema = z.strictObject({
  roots: z.array(root).max(16).default([]).describe('Trusted beside Intel’s root'),
  workloads: z.array(workload).max(1_000).default([]).describe('Measurements of workloads that are known; without one no report is "verified"'),
  acceptedTcbStatuses: z.array(z.enum(TCB_STATUSES)).min(1).default(['UpToDate']),
  evaluationDataNumberMin: z.number().int().min(0).max(1_000_000).default(0),
  nvidiaKeys: z.array(nvidiaKey).max(64).default([]).describe('ES384 keys of NVIDIA’s attestation service'),
});

/** The policy that the settings describe. */
export function attestationPolicy({ roots, workloads, ...rest }: z.output<typeof attestationSchema>): AttestationPolicy {
  return {
    ...rest,
    roots: [INTEL_ROOT, ...roots.map(({ certificate, simulated }) => configuredRoot(Buffer.from(certificate, 'base64'), simulated))],
    pinnedWorkloads: workloads.map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined)) as unknown as AttestationPolicy['pinnedWorkloads'][number]),
  };
}

function isCertificate(text: string): boolean {
  try {
    configuredRoot(Buffer.from(text, 'base64'), false);
    return true;
  } catch {
    return false;
  }
}
