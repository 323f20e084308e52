import { z } from 'zod';
import { FAMILY_FACTS } from '@/lib/protocol/attestation/family-facts';
import type { Hop } from '@/lib/protocol/attestation/hop';
import { hopsOf } from '@/lib/protocol/attestation/hops';
import { keyAlgorithmOf } from '../../attestation/attested-model';
import type { SeenEnclave, SeenReport, SeenReports } from '../../attestation/seen-reports';
import type { ListedModel } from '../../chat/model-catalogue';

const STANDINGS = [
  'own',
  'claim',
  'unchecked',
  'verified',
  'unknown-workload',
  'simulated',
  'failed',
  'not-checkable',
] as const satisfies readonly Hop['standing'][];

const plainHop = z.object({
  kind: z.enum(['client', 'gateway', 'provider', 'router', 'model', 'gpu']),
  name: z.string().nullable().describe('Name of the hop; null if it has none'),
  reads: z
    .enum(['content', 'metadata'])
    .describe('What the hop could read: every word, or only when, how much and to which model'),
  proof: z
    .enum(['none', 'claim', 'encryption', 'attestation'])
    .describe('Kind of proof. `claim`: only a statement, without evidence; `none`: your own machine'),
  standing: z
    .enum(STANDINGS)
    .describe(
      'How far the proof was checked. A gateway can prove nothing to you, so here it is `own`, `claim`, or `unchecked` (check it yourself)',
    ),
});

/** Hop on the path of a prompt, with explanations. */
export const hopSchema = plainHop
  .extend({
    text: z
      .object({ operator: z.string(), reads: z.string(), proof: z.string() })
      .describe('Who runs the hop, what they could read, and what proves it, in sentences'),
  })
  .meta({ id: 'Hop' });

/** Hop without explanations, for lists. */
export const listedHopSchema = plainHop.meta({ id: 'ListedHop' });

const measurements = z.record(z.string(), z.string().nullable()).nullable().describe('As in the evidence, unchecked');

const listedEnclave = z.object({
  role: z.enum(['model', 'router', 'gateway']),
  name: z.string().nullable(),
  model: z.string().nullable().describe('The model that the evidence names'),
  hardware: z.enum(['intel-tdx', 'amd-sev-snp', 'unknown']),
  measurements,
  gpus: z.object({ arch: z.string(), count: z.number().int() }).nullable(),
  unusable: z.string().nullable().describe('Why no client can use this enclave'),
});

/** Enclave as its report describes it, without a verdict. */
export const enclaveSchema = listedEnclave
  .extend({
    keys: z.array(
      z.object({ purpose: z.enum(['encryption', 'signature', 'tls']), algorithm: z.string(), value: z.string() }),
    ),
  })
  .meta({ id: 'ReportedEnclave' });

export const listedEnclaveSchema = listedEnclave.meta({ id: 'ListedEnclave' });

export const familySchema = z
  .string()
  .nullable()
  .describe(`Family of the report: ${Object.keys(FAMILY_FACTS).join(', ')}; null if unknown`);

/** Hops to a listed model, as the model's last report shows them, without a verdict. */
interface ModelHops {
  family: string | null;
  enclaves: readonly SeenEnclave[];
  hops: readonly Omit<Hop, 'text'>[];
}

/** Returns a listed model's hops. The model's enclaves are unknown before its first attestation. */
export function modelHops({ model }: ListedModel, seen: Pick<SeenReports, 'of'>): ModelHops {
  const { id, upstream } = model;
  const isAttested = model.capabilities.supportsTeeAttestation;
  const report: SeenReport = isAttested ? seen.of(id) : { family: null, enclaves: [] };
  const hops = hopsOf({
    client: 'unknown',
    gateway: null,
    provider: upstream.name,
    isAttested,
    encryption: keyAlgorithmOf(model),
    family: report.family,
    enclaves: report.enclaves.map((enclave) => ({ ...enclave, keys: [] })),
  });
  return { ...report, hops: hops.map(({ text: _text, ...hop }) => hop) };
}
