import { randomBytes } from 'node:crypto';
import { factsOf } from '@/lib/protocol/attestation/family-facts';
import { type ApiError, apiError } from '@/lib/protocol/errors';
import { askForReport } from './asked-report';
import { type AttestedModel, signingAlgorithmOf } from './attested-model';
import { answersOf, reportedBy } from './provider-report';
import type { SeenReports } from './seen-reports';
import { unpackReport } from './unpack-report';

const FAMILIES_MAX = 1_000;

const BY_ENCRYPTION =
  'Answers of this model are not signed: an encrypted answer needs no signature, because only the holder of the attested key could read the request.';
const BY_ATTESTATION =
  'Answers of this model are not signed: the attestation proves which enclave runs, but not that a single answer came from it.';

/**
 * Returns an error that says why an enclave does not sign answers, and what protects the answers instead. Returns null
 * if the enclave signs answers, or if that is unknown.
 */
export async function unsignedFault(model: AttestedModel, families: AskedFamilies): Promise<ApiError | null> {
  const { encryption } = model;
  // Enclaves of models with encrypted messages sign their answers, and clients require the signature.
  if (encryption === 'ecdsa' || encryption === 'ed25519') return null;
  if (encryption !== null) return apiError('ANSWERS_NOT_SIGNED', { message: BY_ENCRYPTION });
  return signs(await families.of(model), model) === false
    ? apiError('ANSWERS_NOT_SIGNED', { message: BY_ATTESTATION })
    : null;
}

/** Returns whether enclaves of this report family sign answers with the attested key; null if unknown. */
function signs(family: string | null, { upstream }: AttestedModel): boolean | null {
  return factsOf(family)?.signsAnswersBy.includes(signingAlgorithmOf(upstream)) ?? null;
}

/** Report family of each model, from a stored or a new report. */
export class AskedFamilies {
  /** Family by model id, from reports that were requested only for this map. The model list does not show them. */
  readonly #families = new Map<string, string>();

  constructor(private readonly seen: Pick<SeenReports, 'of'>) {}

  /** Returns a model's report family; null if its report is unavailable or unreadable. Never throws. */
  async of(model: AttestedModel): Promise<string | null> {
    const known = this.seen.of(model.id).family ?? this.#families.get(model.id);
    if (known !== undefined) return known;
    const family = await askForFamily(model).catch(() => null);
    if (family !== null) this.#keep(model.id, family);
    return family;
  }

  #keep(model: string, family: string): void {
    this.#families.set(model, family);
    const [oldest] = this.#families.keys();
    if (this.#families.size > FAMILIES_MAX && oldest !== undefined) this.#families.delete(oldest);
  }
}

async function askForFamily(model: AttestedModel): Promise<string | null> {
  const { answer, further } = await askForReport(model, randomBytes(32).toString('hex'));
  const unpacked = answer.status === 200 ? unpackReport(answer.body, model.id) : null;
  return unpacked && reportedBy([...answersOf(answer.body, unpacked), ...further]).family;
}
