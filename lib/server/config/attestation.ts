import { z } from 'zod';
import { TCB_STATUSES } from '@/lib/protocol/tee/hardware/tcb-info';
import { type AttestationPolicy, DEFAULT_POLICY } from '@/lib/protocol/tee/policy';
import { configuredRoot } from '@/lib/protocol/tee/trusted-roots';
import { isHttpUrl } from './fields';

const hex = (bytes: number) =>
  z.string().regex(new RegExp(`^[0-9a-fA-F]{${2 * bytes}}$`), `Must be ${bytes} bytes in hexadecimal`);
const REGISTER_BYTES = 48;
const HASH_BYTES = 32;

const certificate = z
  .string()
  .max(20_000)
  .refine(isCertificate, 'Must be a certificate: DER in Base64')
  .describe('DER in Base64');

const root = z.strictObject({
  certificate,
  simulated: z
    .boolean()
    .default(false)
    .describe('Whether reports under this root are from a simulator, not from genuine hardware'),
});

const register = hex(REGISTER_BYTES);

const workload = z.strictObject({
  name: z.string().min(1).max(200),
  mrTd: register.optional(),
  rtMr0: register.optional(),
  rtMr1: register.optional(),
  rtMr2: register.optional(),
  rtMr3: register.optional(),
  mrConfigId: register.optional(),
  composeHash: hex(HASH_BYTES).optional(),
  imageHash: hex(HASH_BYTES).optional().describe('Hash of one of "images", instead of mrTd and rtMr0 to 2'),
});

const image = z.strictObject({
  hash: hex(HASH_BYTES),
  mrTd: register,
  rtMr0: register,
  rtMr1: register,
  rtMr2: register,
});

const nvidiaKey = z.strictObject({
  kid: z.string().min(1).max(200),
  kty: z.literal('EC'),
  crv: z.literal('P-384'),
  x: z.string().max(100),
  y: z.string().max(100),
});

const serviceUrl = z.string().refine(isHttpUrl, 'Must be an http:// or https:// URL').nullable();

/** Rules for the gateway's own verdict on enclaves. Callers apply their own rules. */
export const attestationSchema = z.strictObject({
  roots: z.array(root).max(16).default([]).describe('Roots that are trusted in addition to Intel’s'),
  workloads: z
    .array(workload)
    .max(1_000)
    .default([])
    .describe(
      'Pinned workloads; without a pin, no report is "verified". A pin needs mrTd, rtMr0 to 2 and composeHash (or rtMr3)',
    ),
  images: z
    .array(image)
    .max(1_000)
    .default([])
    .describe('Boot measurements of operating system images, one entry for each machine shape'),
  acceptedTcbStatuses: z.array(z.enum(TCB_STATUSES)).min(1).default(['UpToDate']),
  evaluationDataNumberMin: z.number().int().min(0).max(1_000_000).default(0),
  nvidiaKeys: z.array(nvidiaKey).max(64).default([]).describe('Pinned ES384 keys of NVIDIA’s attestation service'),
  nvidiaAuthorities: z
    .array(certificate)
    .max(16)
    .default([])
    .describe('Certificates that certify the keys of NVIDIA’s attestation service, in addition to the built-in one'),
  pccsUrl: serviceUrl
    .default('https://api.trustedservices.intel.com')
    .describe(
      'URL for collateral that is missing in a report: Intel’s service, or a cache with its protocol (version 4); null for none',
    ),
  rootCrlUrl: serviceUrl
    .default('https://certificates.trustedservices.intel.com/IntelSGXRootCA.der')
    .describe('URL of the revocation list of Intel’s root'),
  nvidiaUrl: serviceUrl
    .default('https://nras.attestation.nvidia.com')
    .describe('URL of NVIDIA’s attestation service, which judges GPU evidence; null for none'),
  serviceTimeoutMs: z
    .number()
    .int()
    .min(10)
    .max(120_000)
    .default(10_000)
    .describe('Timeout of each request to these services'),
});

/** URLs of the services that supply endorsements of reports, without a trailing slash. Null disables a service. */
export type AttestationServices = Pick<
  z.output<typeof attestationSchema>,
  'pccsUrl' | 'rootCrlUrl' | 'nvidiaUrl' | 'serviceTimeoutMs'
>;

export function attestationServices({
  pccsUrl,
  rootCrlUrl,
  nvidiaUrl,
  serviceTimeoutMs,
}: z.output<typeof attestationSchema>): AttestationServices {
  const trimmed = (url: string | null) => url?.replace(/\/+$/, '') ?? null;
  return { pccsUrl: trimmed(pccsUrl), rootCrlUrl, nvidiaUrl: trimmed(nvidiaUrl), serviceTimeoutMs };
}

export function attestationPolicy(settings: z.output<typeof attestationSchema>): AttestationPolicy {
  const { roots, workloads, images, acceptedTcbStatuses, evaluationDataNumberMin, nvidiaKeys, nvidiaAuthorities } =
    settings;
  const rootOf = (base64: string, simulated: boolean) => configuredRoot(Buffer.from(base64, 'base64'), simulated);
  return {
    ...DEFAULT_POLICY,
    acceptedTcbStatuses,
    evaluationDataNumberMin,
    nvidiaKeys,
    roots: [...DEFAULT_POLICY.roots, ...roots.map((each) => rootOf(each.certificate, each.simulated))],
    nvidiaAuthorities: [
      ...DEFAULT_POLICY.nvidiaAuthorities,
      ...nvidiaAuthorities.map((each) => rootOf(each, false).certificate),
    ],
    pinnedImages: images,
    pinnedWorkloads: workloads.map(
      (each) =>
        Object.fromEntries(
          Object.entries(each).filter(([, value]) => value !== undefined),
        ) as unknown as AttestationPolicy['pinnedWorkloads'][number],
    ),
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
