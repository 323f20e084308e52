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
  name: z.string().nullable().describe('What it is called; null where it has no name'),
  reads: z
    .enum(['content', 'metadata'])
    .describe('What it could read: every word, or when, how much and to which model'),
  proof: z
    .enum(['none', 'claim', 'encryption', 'attestation'])
    .describe('What it rests on. `claim`: nobody’s evidence but somebody’s word; `none`: what is your own'),
  standing: z
    .enum(STANDINGS)
    .describe(
      'How far that was proved. A gateway can prove nothing to you: here it is `own`, `claim`, or `unchecked` for what you can check yourself',
    ),
});

/** A hop of a prompt's way, with its sentences. */
export const hopSchema = plainHop
  .extend({
    text: z
      .object({ operator: z.string(), reads: z.string(), proof: z.string() })
      .describe('Who runs it, what they could read, and what proves it, in sentences'),
  })
  .meta({ id: 'Hop' });

/** The same without sentences, for a list. */
export const listedHopSchema = plainHop.meta({ id: 'ListedHop' });

const measurements = z
  .record(z.string(), z.string().nullable())
  .nullable()
  .describe('As they stand in the evidence, checked by nobody');

const listedEnclave = z.object({
  role: z.enum(['model', 'router', 'gateway']),
  name: z.string().nullable(),
  model: z.string().nullable().describe('The model that is said to run there'),
  hardware: z.enum(['intel-tdx', 'amd-sev-snp', 'unknown']),
  measurements,
  gpus: z.object({ arch: z.string(), count: z.number().int() }).nullable(),
  unusable: z.string().nullable().describe('Why no client can use it'),
});

/** An enclave as it is reported, with no verdict. */
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
  .describe(
    `The family of shapes that the report is of: ${Object.keys(FAMILY_FACTS).join(', ')}; null for none that is known`,
  );

/** What the list of models says of the way to a model: facts as they were reported last, and hops without a verdict. */
export interface ModelHops {
  family: string | null;
  enclaves: readonly SeenEnclave[];
  hops: readonly Omit<Hop, 'text'>[];
}

/** The hops of a listed model. Of one that nobody has attested yet its enclaves are not known. */
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
